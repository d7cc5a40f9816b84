#!/bin/sh
# Installs what the editor tests need: install.sh FOLDER. Exit status 77 if a part cannot be installed.
folder=$1

skip() {
	echo "test-editors: skipped, $1"
	exit 77
}

if [ ! -e "$folder/node_modules/.bin/yaml-language-server" ]; then
	command -v npm >/dev/null || skip "there is no npm to install yaml-language-server with"
	npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$folder" yaml-language-server@1 >/dev/null ||
		skip "yaml-language-server cannot be installed"
fi
