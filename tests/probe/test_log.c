/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "probe/probe.h"

static const char *log_with(struct tree *tree, const char *text)
{
	tree_put(tree, "log", text);
	return log_of(tree,
		      scanned_with_log(tree, arena_printf(tree->arena, "%s/log",
							  tree->dir)));
}

/* A host with one drive, 0000:03:00.0 behind port 0000:00:1d.0. */
static int set_up(void **state)
{
	static const char pci[] =
		"sys/devices/pci0000:00/0000:00:1d.0/0000:03:00.0";
	struct tree *tree = tree_new();

	tree_link(tree, "sys/class/nvme/nvme0",
		  arena_printf(tree->arena, "../../../%s/nvme/nvme0", pci));
	tree_put(tree, arena_printf(tree->arena, "%s/nvme/nvme0/state", pci),
		 "live\n");
	tree_put(tree,
		 arena_printf(tree->arena, "%s/nvme/nvme0/transport", pci),
		 "pcie\n");
	tree_put(tree, arena_printf(tree->arena, "%s/nvme/nvme0/address", pci),
		 "0000:03:00.0\n");
	tree_link(tree, arena_printf(tree->arena, "%s/nvme/nvme0/device", pci),
		  "../../../0000:03:00.0");
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

static void timeouts_and_resets_are_counted_by_controller(void **state)
{
	assert_string_equal(
		log_with(
			*state,
			"[   10.1] nvme nvme0: I/O 22 QID 1 timeout, aborting\n"
			"[   12.1] nvme nvme0: I/O tag 717 (c2cd) opcode 0x1 (Write) QID 1 timeout, aborting req_op:WRITE(1) size:4096\n"
			"[   40.1] nvme nvme0: I/O 22 QID 1 timeout, reset controller\n"
			"[   50.0] nvme nvme3: I/O 5 QID 5 timeout, completion polled\n"
			"[   60.0] nvme nvme0: resetting controller\n"),
		"nvme0 timeout 3\n"
		"nvme0 reset 2\n"
		"nvme3 timeout 1\n");
}

static void lost_controllers_and_apst_refusals_are_counted(void **state)
{
	assert_string_equal(
		log_with(
			*state,
			"6,100,5,-;nvme nvme0: failed to set APST feature (2)\n"
			"4,101,6,-;nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10\n"
			"4,102,7,-;nvme nvme0: Does your device have a faulty power saving mode enabled?\n"
			"4,103,8,-;nvme nvme0: Try \"nvme_core.default_ps_max_latency_us=0 pcie_aspm=off\"\n"
			"3,104,9,-;nvme nvme0: Device not ready; aborting reset, CSTS=0x1\n"
			"3,105,9,-;nvme nvme0: Removing after probe failure status: -19\n"),
		"nvme0 apst-error 1\n"
		"nvme0 controller-down 3\n");
}

/* Wireless cards on other ports fill logs with the same words. */
static void aer_counts_for_nvme_functions_and_their_ports_only(void **state)
{
	assert_string_equal(
		log_with(
			*state,
			"pcieport 0000:00:1d.0: AER: Corrected error received: 0000:03:00.0\n"
			"nvme 0000:03:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n"
			"nvme 0000:03:00.0:   device [144d:a808] error status/mask=00000001/0000e000\n"
			"nvme 0000:03:00.0:    [ 0] RxErr\n"
			"pcieport 0000:00:1d.0: AER: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n"
			"pcieport 0000:00:1c.5: PCIe Bus Error: severity=Corrected, type=Physical Layer\n"
			"iwlwifi 0000:02:00.0: PCIe Bus Error: severity=Corrected\n"
			"nvme 0000:13:00.0: PCIe Bus Error: severity=Corrected\n"),
		"nvme0 aer 2\n");
}

/* The drive refused its table, or was gone before it could be asked. */
static void apst_refusal_and_lost_drive_are_told_apart(void **state)
{
	assert_string_equal(
		log_with(*state,
			 "nvme nvme0: failed to set APST feature (2)\n"
			 "nvme nvme0: failed to set APST feature (-19)\n"
			 "nvme nvme0: failed to set APST feature (16386)\n"),
		"nvme0 apst-error 2\n"
		"nvme0 controller-down 1\n");
}

static void firmware_that_keeps_aspm_is_of_the_host(void **state)
{
	assert_string_equal(
		log_with(
			*state,
			"[    0.3] ACPI FADT declares the system doesn't support PCIe ASPM, so disable it\n"
			"[    0.5] acpi PNP0A08:00: FADT indicates ASPM is unsupported, using BIOS configuration\n"
			"[    0.5] acpi PNP0A08:01: _OSC failed (AE_NOT_FOUND); disabling ASPM\n"
			"[    0.6] acpi PNP0A08:00: _OSC: OS supports [ExtendedConfig ASPM ClockPM Segments MSI]\n"),
		"host aspm-firmware 3\n");
}

static void ordinary_lines_are_no_events(void **state)
{
	assert_string_equal(
		log_with(*state,
			 "nvme nvme0: pci function 0000:03:00.0\n"
			 "nvme nvme0: 8/0/2 default/read/poll queues\n"
			 "nvme nvme0: missing or invalid SUBNQN field.\n"
			 "usb 1-1: device timeout, giving up\n"
			 "nvme nvme: I/O 1 timeout, aborting\n"
			 "nvme nvme0x: I/O 1 QID 1 timeout, aborting\n"
			 "\n"),
		"");
}

static void log_that_cannot_be_read_is_an_error_that_names_it(void **state)
{
	static const struct knob_set none = { 0 };
	struct probe_options options = { .dmesg_file = "/nonexistent/log" };
	struct tree *tree = *state;
	struct facts facts = { 0 };
	struct err err = { 0 };

	assert_int_equal(probe_host(tree->root, &none, &options, tree->arena,
				    &facts, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/log"));
	assert_int_equal(facts.ctrls.n, 0);
}

/* Where the user stands, not the root that is looked at. */
static void relative_name_is_of_the_current_folder(void **state)
{
	struct tree *tree = *state;
	char here[4096];
	const char *log;

	tree_put(tree, "here/my.log", "nvme nvme0: resetting controller\n");
	assert_non_null(getcwd(here, sizeof(here)));
	assert_int_equal(chdir(tree_path(tree, "here/")), 0);
	log = log_of(tree, scanned_with_log(tree, "my.log"));
	assert_int_equal(chdir(here), 0);
	assert_string_equal(log, "nvme0 reset 1\n");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(timeouts_and_resets_are_counted_by_controller),
		T(lost_controllers_and_apst_refusals_are_counted),
		T(apst_refusal_and_lost_drive_are_told_apart),
		T(firmware_that_keeps_aspm_is_of_the_host),
		T(aer_counts_for_nvme_functions_and_their_ports_only),
		T(ordinary_lines_are_no_events),
		T(log_that_cannot_be_read_is_an_error_that_names_it),
		T(relative_name_is_of_the_current_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
