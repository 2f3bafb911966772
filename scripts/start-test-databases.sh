#!/usr/bin/env bash
# Starts a PostgreSQL and a MariaDB server on loopback for the tests of live databases:
#   eval "$(scripts/start-test-databases.sh FOLDER)"; npm test; scripts/start-test-databases.sh --stop FOLDER
# Standard output is the environment that the tests read; FOLDER holds the servers' data and logs. Where a server can't
# be had, a line on standard error says so, and the tests of it are skipped. As root, missing servers are installed by
# apt-get, and the servers run under the users that Debian's packages make: neither server runs as root.
set -uo pipefail

say() { echo "start-test-databases: $*" >&2; }
password() { od -An -N12 -tx1 /dev/urandom | tr -d ' \n'; }

# Runs a command as a user of a server's package where we are root, else as ourselves.
as_user() {
  local user=$1
  shift
  if [ "$(id -u)" -eq 0 ]; then runuser -u "$user" -- "$@"; else "$@"; fi
}

free_port() {
  local port
  for _ in $(seq 50); do
    port=$((20000 + RANDOM % 12000))
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
}

# The folder of PostgreSQL's own programs; Debian has one for each version, none of them on the PATH.
postgres_programs() {
  local newest
  newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
  if [ -x "$newest/initdb" ]; then
    echo "$newest"
  elif command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
    dirname "$(command -v initdb)"
  fi
}

has_mariadb() { PATH=$PATH:/usr/sbin command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null; }

install_missing() {
  local packages=() log="$folder/install.log"
  [ -n "$(postgres_programs)" ] || packages+=(postgresql)
  has_mariadb || packages+=(mariadb-server)
  [ "${#packages[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    say "not installed: ${packages[*]}"
    return 0
  fi
  # In run level 1 the packages start no service of their own.
  export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
  if ! { apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
    say "could not install ${packages[*]}: $(grep -m 1 '^E:' "$log")"
  fi
}

# A folder of its own for a server's user, below one that this user may pass through.
own_folder() {
  mkdir -p "$2" && chmod 711 "$folder"
  if [ "$(id -u)" -eq 0 ]; then chown "$1" "$2"; fi
}

# Both servers write their process id into the first line of a file.
stop_server() {
  local pid
  [ -r "$1" ] || return 0
  pid=$(head -n 1 "$1")
  kill -"$2" "$pid" 2>/dev/null || return 0
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null
}

start_postgresql() {
  local programs home="$folder/postgresql" secret port
  programs=$(postgres_programs)
  if [ -z "$programs" ]; then
    say 'no PostgreSQL server: its tests are skipped'
    return
  fi
  own_folder postgres "$home"
  secret=$(password) port=$(free_port)
  if as_user postgres bash -c '
    set -e
    cd "$2"
    "$1/initdb" -D data -U perturbql --auth=scram-sha-256 --pwfile=<(echo "$3") -E UTF8 --locale=C --no-sync
    "$1/pg_ctl" -D data -l server.log -w -t 60 -o "-p $4 -k $2 -c listen_addresses=127.0.0.1 -c fsync=off" start
  ' bash "$programs" "$home" "$secret" "$port" >"$folder/postgresql.log" 2>&1; then
    echo "export PERTURBQL_POSTGRES='postgres://perturbql:$secret@127.0.0.1:$port/postgres'"
  else
    say "PostgreSQL does not start: $(tail -n 1 "$folder/postgresql.log")"
  fi
}

start_mariadb() {
  local home="$folder/mariadb" secret port
  if ! has_mariadb; then
    say 'no MariaDB server: its tests are skipped'
    return
  fi
  own_folder mysql "$home"
  secret=$(password) port=$(free_port)
  printf '%s;\n' "CREATE USER perturbql IDENTIFIED BY '$secret'" 'GRANT ALL ON *.* TO perturbql WITH GRANT OPTION' |
    as_user mysql tee "$home/init.sql" >/dev/null
  if as_user mysql bash -c '
    PATH=$PATH:/usr/sbin
    cd "$1" || exit 1
    mariadb-install-db --no-defaults --datadir="$1/data" --auth-root-authentication-method=normal --skip-test-db || exit 1
    mariadbd --no-defaults --datadir="$1/data" --socket="$1/socket" --pid-file="$1/pid" --port="$3" \
      --bind-address=127.0.0.1 --skip-name-resolve --innodb-flush-log-at-trx-commit=0 --init-file="$1/init.sql" \
      --innodb-buffer-pool-size=32M >server.log 2>&1 </dev/null &
    for _ in $(seq 300); do
      if mariadb --no-defaults -h 127.0.0.1 -P "$3" -u perturbql -p"$2" -e "SELECT 1"; then exit 0; fi
      kill -0 $! || break
      sleep 0.2
    done
    tail -n 1 server.log
    exit 1
  ' bash "$home" "$secret" "$port" >"$folder/mariadb.log" 2>&1; then
    echo "export PERTURBQL_MYSQL='mysql://perturbql:$secret@127.0.0.1:$port/mysql'"
  else
    say "MariaDB does not start: $(tail -n 1 "$folder/mariadb.log")"
    stop_server "$home/pid" TERM
  fi
}

if [ "${1:-}" = --stop ]; then
  folder=${2:?the folder that the servers were started in}
  # INT is PostgreSQL's fast shutdown, TERM MariaDB's.
  stop_server "$folder/postgresql/data/postmaster.pid" INT
  stop_server "$folder/mariadb/pid" TERM
  rm -rf "$folder/postgresql" "$folder/mariadb"
  exit 0
fi

folder=$(realpath -m "${1:?a folder for the data of the servers}")
mkdir -p "$folder"
install_missing
start_postgresql
start_mariadb
exit 0
