# shellcheck shell=bash
# Shared by the scripts of this folder: sourced, never run.
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || { echo "no chromium here: pages have not been looked at"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# browse PAGE [SECONDS [WIDTHxHEIGHT]]: opens the page and prints what its scripts have put between RESULT and END.
browse() {
  local size=${3:-1280x800}
  timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --window-size="${size/x/,}" \
    --virtual-time-budget="${2:-20}000" --dump-dom "file://$1" 2>"$dir/browser" |
    sed -n '/RESULT/,/END/p' | sed 's/<[^>]*>//g; s/&gt;/>/g; s/&lt;/</g'
}
