#!/bin/sh
# Installs what the browser tests need: install.sh PYTHON FOLDER. Exit status 77 if a part cannot be installed.
python=$1
folder=$2

skip() {
	echo "test-browser: skipped, $1"
	exit 77
}

if ! command -v chromium >/dev/null; then
	if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then skip "there is no chromium"; fi
	{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1 ||
		skip "chromium cannot be installed"
fi
"$python" -c 'import playwright' 2>/dev/null || "$python" -m pip install --quiet --editable '.[browser]' \
	--config-settings editable_mode=compat || skip "Playwright cannot be installed"
if [ ! -e "$folder/node_modules/axe-core/axe.min.js" ]; then
	command -v npm >/dev/null || skip "there is no npm to install axe-core with"
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$folder" axe-core@4 >/dev/null || skip "axe-core cannot be installed"
fi
