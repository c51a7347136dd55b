# shellcheck shell=bash
# What the scripts of this folder share; they source it.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 2
jobs=$(nproc) # for builds and tests
export jobs root

# usage "$@": prints the comment on top of the script for --help and ends it.
usage() {
  local argument
  for argument in "$@"; do
    case $argument in
    -h | --help)
      sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    esac
  done
}

die() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

# c_files PATTERN...: the files of the project that match, one a line; tracked or new, not ignored.
c_files() {
  local pattern
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@"
  else # an unpacked archive
    for pattern in "$@"; do
      find . -path ./build -prune -o -name "${pattern##*/}" -type f -print | sed 's|^\./||'
    done
  fi | LC_ALL=C sort -u | while read -r file; do
    if [ -f "$file" ]; then echo "$file"; fi
  done
}

# The formatter whose output is the rule: version 14 where there is one beside others.
clang_tool() {
  local name
  for name in "$1-14" "$1"; do
    if command -v "$name" >/dev/null; then
      echo "$name"
      return
    fi
  done
  die "$1 is not installed: scripts/install-deps --dev"
}
