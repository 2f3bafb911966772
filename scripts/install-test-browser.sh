#!/usr/bin/env bash
# Installs Chromium for the tests of pages where no browser stands and apt-get may be used. Where that can't be, a line on
# standard error says so, and the tests are skipped.
set -uo pipefail

say() { echo "install-test-browser: $*" >&2; }

# Where test/chromium-path.ts looks.
for browser in /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome; do
  [ -x "$browser" ] && exit 0
done
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  say 'no browser: the tests of pages are skipped'
  exit 0
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install -y --no-install-recommends chromium; } >"$log" 2>&1; then
  say "could not install chromium, the tests of pages are skipped: $(grep -m 1 '^E:' "$log")"
fi
rm -f "$log"
exit 0
