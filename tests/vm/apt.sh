# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by what fetches packages: from the Debian mirror that this machine
# already uses, with a state of its own in the folder $work, and never to install
# anything on it.

# Print "URI KEYRING" of the Debian archive in this machine's own apt sources,
# in either format; KEYRING is "-" where the source names none.
configured_mirror()
{
	local codename

	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	{
		cat /etc/apt/sources.list.d/*.sources 2>/dev/null || :
		echo
	} | awk -v suites=" $codename stable testing unstable sid " '
		function flush(   i, n, s) {
			n = split(suite, s, " ")
			for (i = 1; i <= n; i++)
				if (types ~ /(^| )deb( |$)/ && enabled != "no" &&
				    components ~ /(^| )main( |$)/ &&
				    index(suites, " " s[i] " ")) {
					print uri, (key ~ /^\//) ? key : "-"
					break
				}
			types = uri = suite = components = key = enabled = ""
		}
		/^#/ { next }
		/^[ \t]*$/ { flush(); next }
		tolower($1) == "types:" { $1 = ""; types = $0 }
		tolower($1) == "uris:" { uri = $2 }
		tolower($1) == "suites:" { $1 = ""; suite = $0 }
		tolower($1) == "components:" { $1 = ""; components = $0 }
		tolower($1) == "signed-by:" { key = $2 }
		tolower($1) == "enabled:" { enabled = tolower($2) }
		END { flush() }'
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		awk -v suites=" $codename stable testing unstable sid " '
		$1 == "deb" {
			key = "-"
			if (match($0, /signed-by=[^] ]+/))
				key = substr($0, RSTART + 10, RLENGTH - 10)
			sub(/\[[^]]*\]/, "")
			if (index(suites, " " $3 " ") && / main( |$)/)
				print $2, key
		}' || :
}

# apt with a private state: what is installed here plays no part.
private_apt()
{
	local tool=$1

	shift
	"$tool" -q -o "Dir::Etc::SourceList=$work/sources.list" \
		-o Dir::Etc::SourceParts=- -o "Dir::State=$work/state" \
		-o "Dir::State::status=$work/state/status" \
		-o "Dir::Cache=$work/cache" \
		-o APT::Architecture=amd64 -o APT::Architectures=amd64 \
		-o APT::Sandbox::User="$(id -un)" \
		-o Acquire::Languages=none -o Acquire::Retries=2 "$@"
}

# apt_open WHAT SUITE... - read the lists of the suites; WHAT wants them.
apt_open()
{
	local what=$1 mirror uri key suite

	shift
	vm_need apt-get apt-cache dpkg
	mirror=$(configured_mirror | head -n 1)
	[ -n "$mirror" ] ||
		die "$what: no Debian mirror in this machine's apt sources"
	uri=${mirror% *} key=${mirror##* }

	mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
	: >"$work/state/status"
	for suite; do
		if [ "$key" = - ]; then
			echo "deb $uri $suite main"
		else
			echo "deb [signed-by=$key] $uri $suite main"
		fi
	done >"$work/sources.list"

	say "$what: fetching ($*)"
	private_apt apt-get update >"$work/log" 2>&1 || {
		cat "$work/log" >&2
		die "$what: cannot read the package lists of $*;" \
			"check the network, the mirror and the archive's keyring (debian-archive-keyring)"
	}
}
