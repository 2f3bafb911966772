#!/usr/bin/env bash
# What the GitHub Action and the GitLab template run: `perturbql evaluate` and `perturbql attack`, with JUnit XML of both
# and a summary in Markdown. By the environment; options are written as on the command line:
#   PERTURBQL_EVALUATE    options of evaluate; empty: it is not run
#   PERTURBQL_ATTACK      options of attack; empty: it is not run
#   PERTURBQL_FAIL_BELOW  lowest accuracies of the attack, separated by spaces: rpl=30 execution.add=25
#   PERTURBQL_OUT         folder for results (default: perturbql-results)
#   PERTURBQL_SUMMARY     file that gets the summary at its end (default: summary.md in that folder)
# Ends with the highest exit code of the two: 3 where an accuracy is below its limit, 2 where an input is wrong.
set -uo pipefail

out=${PERTURBQL_OUT:-perturbql-results}
summary=${PERTURBQL_SUMMARY:-$out/summary.md}
worst=0
mkdir -p "$out" || exit 2

is_given() { [[ $1 =~ [^[:space:]] ]]; }

# Words of a text, quoted as in a shell, but nothing in it is run.
words() { xargs -n 1 printf '%s\n' <<<"$1"; }

# run NAME ARGUMENTS…: one command, its output on screen and in the summary.
run() {
  local name=$1 status
  perturbql "$@" 2>&1 | tee "$out/$name.txt"
  status=${PIPESTATUS[0]}
  {
    case $status in
      0) echo "## perturbql $name: passed" ;;
      3) echo "## perturbql $name: below its limits" ;;
      *) echo "## perturbql $name: failed" ;;
    esac
    printf '\n```text\n%s\n```\n\n' "$(sed 's/```/` ` `/g' "$out/$name.txt")"
  } >>"$summary"
  if [ "$status" -gt "$worst" ]; then worst=$status; fi
}

if is_given "${PERTURBQL_EVALUATE:-}"; then
  mapfile -t options < <(words "$PERTURBQL_EVALUATE")
  run evaluate "${options[@]}" --junit "$out/evaluate.xml" --report "$out/evaluate.html"
fi

if is_given "${PERTURBQL_ATTACK:-}"; then
  mapfile -t options < <(words "$PERTURBQL_ATTACK")
  for rule in ${PERTURBQL_FAIL_BELOW:-}; do options+=(--fail-below "$rule"); done
  run attack "${options[@]}" --out "$out/attack" --junit "$out/attack.xml"
fi

exit "$worst"
