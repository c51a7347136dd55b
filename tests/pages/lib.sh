# shellcheck shell=bash
# Shared by the scripts of this folder: sourced, never run.
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$chromium" ] || { echo "no chromium here (scripts/install-deps --dev installs it): pages have not been looked at"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# axe-core, which knows what people need who read a page by other means than we do: by its name and version from npm, into
# build/, never part of this repository. Where that cannot be, pages are looked at without it.
axe_version=4.10.2
axe_sum=b511cd9dec01c76f4b2ad1723b66b6db37d4c2eb4ed199076e1829d9ee7b75e3
axe=

# find_axe SOURCE: sets axe to its file, or says why there is none.
find_axe() {
  local kept=$1/build/axe-core-$axe_version file
  file=$kept/node_modules/axe-core/axe.min.js
  mkdir -p "$1/build"
  exec 8>"$1/build/axe-core.lock"
  flock 8 # tests run side by side
  # Where it could not be fetched it is not asked for again within the hour.
  if [ ! -f "$file" ] && command -v npm >/dev/null && [ -z "$(find "$kept.none" -mmin -60 2>/dev/null)" ]; then
    timeout 60 npm install --prefix "$kept" --no-save --no-audit --no-fund --ignore-scripts --fetch-retries=0 \
      --fetch-timeout=20000 "axe-core@$axe_version" >"$dir/npm" 2>&1 </dev/null ||
      { rm -rf "$kept"; touch "$kept.none"; }
  fi
  exec 8>&-
  if [ ! -f "$file" ]; then
    echo "NOT LOOKED AT: no axe-core here ($(command -v npm >/dev/null && echo "npm could not fetch it" || echo "there is no npm"))"
  elif ! echo "$axe_sum  $file" | sha256sum --check --quiet; then
    echo "axe-core $axe_version is not what it was"
    exit 1
  else
    # shellcheck disable=SC2034 # for whoever sources this
    axe=$file
  fi
}

# look PAGE SIZE...: puts it among those that browse() opens, in a frame of exactly that size, WIDTHxHEIGHT (a window is never as
# narrow as a phone).
look() {
  local page=$1 size
  shift
  for size in "$@"; do
    echo "<iframe name=\"${page##*/} $size\" style=\"width: ${size%x*}px; height: ${size#*x}px\" src=\"file://$page\"></iframe>" >>"$dir/frames"
  done
}

# browse: opens them, all in one browser, and prints what their scripts have told: what stands between RESULT and END. Each must
# tell something, and that nothing is wrong.
browse() {
  cat - "$dir/frames" >"$dir/frame.html" <<'FRAME'
<!DOCTYPE html><meta charset="utf-8">
<style>* { margin: 0; border: 0; } iframe { position: absolute; }</style>
<pre></pre>
<script>
addEventListener('message', e => {
  const frame = [...document.querySelectorAll('iframe')].find(f => f.contentWindow === e.source);
  document.querySelector('pre').textContent += e.data.replace(/^R\w+/, '$& ' + frame.name + ':') + '\n';
});
</script>
FRAME
  timeout 1800 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --window-size=3840,2400 \
    --virtual-time-budget=20000 --dump-dom "file://$dir/frame.html" 2>"$dir/browser" |
    sed -n '/RESULT/,/END/p' | sed 's/<[^>]*>//g; s/&gt;/>/g; s/&lt;/</g; s/&amp;/\&/g' | tee "$dir/result"
  [ "$(grep -c '^RESULT.* 0 wrong$' "$dir/result")" = "$(wc -l <"$dir/frames")" ]
}
