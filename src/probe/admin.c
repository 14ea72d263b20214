/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What a drive itself says: identify, the SMART log, features.
 *
 * Of libnvme only the functions that take an args struct, on a descriptor
 * opened here: its wrappers for single features send wrong bytes up to 1.5,
 * and its tree sends commands to every namespace.  Buffers are whole pages:
 * controllers transfer 4096 bytes for some requests whatever was asked.
 */

#include <endian.h>
#include <errno.h>
#include <libnvme.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "core/health.h"
#include "probe/scan.h"
#include "sys/record.h"

#define PAGE_BYTES 4096U

/* A little-endian number of a data structure and where it belongs. */
struct field {
	size_t to; /* offset of a struct num */
	size_t from;
	size_t size;
};

#define IDENTIFY(field)                                           \
	{                                                         \
		offsetof(struct ctrl, field),                     \
			offsetof(struct nvme_id_ctrl, field),     \
			sizeof(((struct nvme_id_ctrl *)0)->field) \
	}
#define SMART(ours, theirs)                                          \
	{                                                            \
		offsetof(struct smart, ours),                        \
			offsetof(struct nvme_smart_log, theirs),     \
			sizeof(((struct nvme_smart_log *)0)->theirs) \
	}

static const struct field identify_fields[] = {
	IDENTIFY(mdts),	  IDENTIFY(npss), IDENTIFY(apsta), IDENTIFY(sgls),
	IDENTIFY(maxcmd), IDENTIFY(oacs), IDENTIFY(oncs),  IDENTIFY(cmic),
};

static const struct field smart_fields[] = {
	SMART(critical_warning, critical_warning),
	SMART(temperature_c, temperature),
	SMART(available_spare_percent, avail_spare),
	SMART(spare_threshold_percent, spare_thresh),
	SMART(used_percent, percent_used),
	SMART(data_units_read, data_units_read),
	SMART(data_units_written, data_units_written),
	SMART(host_reads, host_reads),
	SMART(host_writes, host_writes),
	SMART(busy_minutes, ctrl_busy_time),
	SMART(power_cycles, power_cycles),
	SMART(power_on_hours, power_on_hours),
	SMART(unsafe_shutdowns, unsafe_shutdowns),
	SMART(media_errors, media_errors),
	SMART(error_log_entries, num_err_log_entries),
	SMART(warning_temperature_minutes, warning_temp_time),
	SMART(critical_temperature_minutes, critical_comp_time),
	SMART(thermal_1_count, thm_temp1_trans_count),
	SMART(thermal_2_count, thm_temp2_trans_count),
	SMART(thermal_1_seconds, thm_temp1_total_time),
	SMART(thermal_2_seconds, thm_temp2_total_time),
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Counters have up to 128 bits; one beyond 63 is unknown, not cut. */
static struct num little_endian(const uint8_t *bytes, size_t n)
{
	uint64_t value = 0;

	for (size_t i = n; i-- > 0;) {
		if (value >> 55)
			return num_unknown(EOVERFLOW);
		value = value << 8 | bytes[i];
	}
	return num_known((int64_t)value);
}

static void set_fields(void *to, const struct field *fields, size_t n,
		       const void *from, int why)
{
	for (size_t i = 0; i < n; i++) {
		struct num num = num_unknown(why);

		if (from && !why)
			num = little_endian((const uint8_t *)from +
						    fields[i].from,
					    fields[i].size);
		memcpy((char *)to + fields[i].to, &num, sizeof(num));
	}
}

/*
 * A drive to ask, or the answers that were kept of one in a root that was
 * recorded: then there is no descriptor.
 */
struct asked {
	struct scan *scan;
	struct ctrl *ctrl;
	int fd;
	void *page; /* PAGE_BYTES */
};

static const char *answer_name(const struct asked *asked, const char *what)
{
	return arena_printf(asked->scan->arena, "admin/%s/%s",
			    asked->ctrl->name, what);
}

/* libnvme: 0, an NVMe status above, or -1 and errno.  0 or an errno. */
static int outcome(int r)
{
	if (r == 0)
		return 0;
	return r < 0 ? errno : EOPNOTSUPP;
}

static int identify(int fd, void *page)
{
	struct nvme_identify_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.data = page,
		.timeout = 0, /* the driver's */
		.cns = NVME_IDENTIFY_CNS_CTRL,
		.csi = NVME_CSI_NVM,
		.nsid = NVME_NSID_NONE,
		.cntid = NVME_CNTLID_NONE,
		.cns_specific_id = NVME_CNSSPECID_NONE,
		.uuidx = NVME_UUID_NONE,
	};

	return outcome(nvme_identify(&args));
}

static int smart_log(int fd, void *page)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.log = page,
		.len = sizeof(struct nvme_smart_log),
		.timeout = 0,
		.lid = NVME_LOG_LID_SMART,
		.nsid = NVME_NSID_ALL,
		.csi = NVME_CSI_NVM,
		.lsi = NVME_LOG_LSI_NONE,
		.lsp = NVME_LOG_LSP_NONE,
		.uuidx = NVME_UUID_NONE,
	};

	return outcome(nvme_get_log(&args));
}

/* Dword 0 of the completion; page is for features that give data. */
static struct num feature(int fd, uint8_t fid, enum nvme_get_features_sel sel,
			  void *page, uint32_t len)
{
	uint32_t result = 0;
	struct nvme_get_features_args args = {
		.args_size = sizeof(args),
		.fd = fd,
		.result = &result,
		.data = page,
		.data_len = len,
		.timeout = 0,
		.nsid = NVME_NSID_NONE,
		.sel = sel,
		.fid = fid,
		.uuidx = NVME_UUID_NONE,
	};
	int why = outcome(nvme_get_features(&args));

	return why ? num_unknown(why) : num_known(result);
}

/* One page, from send or from the root. */
static int ask_page(const struct asked *asked, const char *what,
		    int (*send)(int fd, void *page))
{
	const struct sysroot *root = asked->scan->root;
	const char *name = answer_name(asked, what);
	ssize_t n;
	int why;

	if (asked->fd < 0) {
		n = sysroot_kept(root, name, asked->page, PAGE_BYTES);
		return n < 0 ? (int)-n : n == PAGE_BYTES ? 0 : EBADMSG;
	}
	why = send(asked->fd, asked->page);
	sysroot_keep(root, name, asked->page, PAGE_BYTES, -why);
	return why;
}

static struct num kept_feature(const struct asked *asked, const char *name)
{
	char text[16] = "";
	ssize_t n =
		sysroot_kept(asked->scan->root, name, text, sizeof(text) - 1);
	uint64_t result;

	if (n < 0)
		return num_unknown((int)-n);
	if (parse_u64(text_trim(text), &result) < 0 || result > UINT32_MAX)
		return num_unknown(EBADMSG);
	return num_known((int64_t)result);
}

static struct num ask_feature(const struct asked *asked, uint8_t fid,
			      enum nvme_get_features_sel sel, uint32_t len)
{
	const char *name =
		answer_name(asked, arena_printf(asked->scan->arena,
						"feature-%02x-%d", fid, sel));
	struct num result;
	const char *text;

	if (asked->fd < 0)
		return kept_feature(asked, name);
	memset(asked->page, 0, len); /* what it does not send is nothing */
	result = feature(asked->fd, fid, sel, len ? asked->page : NULL, len);
	text = arena_printf(asked->scan->arena, "%lld\n",
			    (long long)result.value);
	sysroot_keep(asked->scan->root, name, text, strlen(text), -result.why);
	return result;
}

static void read_power_states(struct arena *arena, struct ctrl *ctrl,
			      const struct nvme_id_ctrl *id)
{
	size_t n = (size_t)id->npss + 1;

	for (size_t i = 0; i < n && i < COUNT(id->psd); i++) {
		const struct nvme_id_psd *psd = &id->psd[i];
		struct power_state *state = vec_add(arena, &ctrl->power_states);
		int64_t power = le16toh(psd->mp);
		/* In 0.01 W, or 0.0001 W where the flag says so. */
		bool fine = psd->flags & NVME_PSD_FLAGS_MXPS;

		state->max_power_mw = num_known(fine ? power / 10 : power * 10);
		state->entry_us = num_known(le32toh(psd->enlat));
		state->exit_us = num_known(le32toh(psd->exlat));
		state->non_operational =
			num_known(!!(psd->flags & NVME_PSD_FLAGS_NOPS));
	}
}

static int read_identify(const struct asked *asked)
{
	int why = ask_page(asked, "identify", identify);

	set_fields(asked->ctrl, identify_fields, COUNT(identify_fields),
		   asked->page, why);
	if (!why)
		read_power_states(asked->scan->arena, asked->ctrl, asked->page);
	return why;
}

#define KELVIN 273

static void read_smart(const struct asked *asked)
{
	struct smart *smart = &asked->ctrl->smart;
	struct num *temperature = &smart->temperature_c;
	int why = ask_page(asked, "smart-log", smart_log);

	set_fields(smart, smart_fields, COUNT(smart_fields), asked->page, why);
	if (temperature->known && temperature->value == 0)
		*temperature = num_unknown(ENODATA); /* drive has no sensor */
	else if (temperature->known)
		temperature->value -= KELVIN;
}

#define ONCS_SAVE_SELECT (1 << 4)

/* 07h: counts of submission and completion queues, each less one. */
static struct num queue_grant(struct num result)
{
	int64_t submission, completion;

	if (!result.known)
		return result;
	submission = result.value & 0xffff;
	completion = result.value >> 16 & 0xffff;
	return num_known((submission < completion ? submission : completion) +
			 1);
}

/* NVMe Base 2.0, 5.27.1.9: for each power state 8 bytes, of which the state
 * to go to is in bits 7:3 and the time before, in ms, in bits 31:8. */
#define APST_BYTES 256
#define APST_ENTRY 8

static bool has_apst_table(const struct asked *asked)
{
	const char *name = answer_name(asked, "apst-table");

	if (asked->fd < 0)
		return sysroot_kept(asked->scan->root, name, asked->page,
				    APST_BYTES) == APST_BYTES;
	sysroot_keep(asked->scan->root, name, asked->page, APST_BYTES, 0);
	return true;
}

/* Right behind the feature, whose data it is. */
static void read_apst_table(const struct asked *asked)
{
	struct ctrl *ctrl = asked->ctrl;
	const uint8_t *entry = asked->page;
	size_t n = APST_BYTES / APST_ENTRY;

	if (!has_apst_table(asked))
		return;
	VEC_EACH(&ctrl->power_states, struct power_state, state) {
		if (n-- == 0)
			break;
		state->idle_ms = little_endian(entry + 1, 3);
		if (state->idle_ms.value)
			state->idle_state = num_known(entry[0] >> 3);
		entry += APST_ENTRY;
	}
}

static void read_features(const struct asked *asked)
{
	struct ctrl *ctrl = asked->ctrl;
	struct num apst = num_unknown(EOPNOTSUPP);

	ctrl->queue_grant =
		queue_grant(ask_feature(asked, NVME_FEAT_FID_NUM_QUEUES,
					NVME_GET_FEATURES_SEL_CURRENT, 0));
	ctrl->coalescing = ask_feature(asked, NVME_FEAT_FID_IRQ_COALESCE,
				       NVME_GET_FEATURES_SEL_CURRENT, 0);
	if (ctrl->coalescing.known)
		ctrl->coalescing.value &= 0xffff;
	ctrl->coalescing_caps = num_unknown(EOPNOTSUPP);
	if (num_or(ctrl->oncs, 0) & ONCS_SAVE_SELECT)
		ctrl->coalescing_caps =
			ask_feature(asked, NVME_FEAT_FID_IRQ_COALESCE,
				    NVME_GET_FEATURES_SEL_SUPPORTED, 0);
	/* Its data, the table, is 256 bytes. */
	if (num_or(ctrl->apsta, 0) & 1)
		apst = ask_feature(asked, NVME_FEAT_FID_AUTO_PST,
				   NVME_GET_FEATURES_SEL_CURRENT, APST_BYTES);
	if (apst.known) {
		read_apst_table(asked);
		apst.value &= 1;
	}
	ctrl->apst_enabled = apst;
}

static void set_unknown(struct ctrl *ctrl, int why)
{
	set_fields(ctrl, identify_fields, COUNT(identify_fields), NULL, why);
	set_fields(&ctrl->smart, smart_fields, COUNT(smart_fields), NULL, why);
	ctrl->queue_grant = num_unknown(why);
	ctrl->coalescing = num_unknown(why);
	ctrl->coalescing_caps = num_unknown(why);
	ctrl->apst_enabled = num_unknown(why);
}

/*
 * A controller that is not live answers late or never, and a command that
 * runs out of time makes the kernel reset it.
 */
static int open_ctrl(struct scan *scan, const struct ctrl *ctrl)
{
	if (!text_equal(ctrl->state, "live"))
		return -EAGAIN;
	if (!ctrl->dev)
		return -ENODEV;
	return sysroot_open_device(
		scan->root, arena_printf(scan->arena, "dev/%s", ctrl->name),
		ctrl->dev);
}

static void tell_blind(struct scan *scan, const struct ctrl *ctrl, int why)
{
	static const char what[] = "identify, features and SMART";

	if (why == EACCES || why == EPERM)
		scan_blind(scan, "%s need root", what);
	else if (!sysroot_is_live(scan->root))
		scan_blind(scan, "%s need the live host", what);
	else if (!text_equal(ctrl->state, "live"))
		scan_blind(scan, "%s of %s: it is not live", what, ctrl->name);
	else
		scan_blind(scan, "%s of %s could not be read: %s", what,
			   ctrl->name, strerror(why));
}

static bool has_answers(const struct scan *scan, const struct ctrl *ctrl)
{
	return !sysroot_is_live(scan->root) &&
	       sysroot_exists(scan->root,
			      arena_printf(scan->arena, "%s/admin/%s",
					   RECORD_DIR, ctrl->name));
}

static void scan_admin(struct scan *scan, struct ctrl *ctrl)
{
	_cleanup_close_ int fd = open_ctrl(scan, ctrl);
	_cleanup_free_ void *page = aligned_alloc(PAGE_BYTES, PAGE_BYTES);
	const struct asked asked = { scan, ctrl, fd, page };
	int why = fd < 0 && !has_answers(scan, ctrl) ? -fd : 0;

	if (!page)
		why = ENOMEM;
	if (why) {
		set_unknown(ctrl, why);
		tell_blind(scan, ctrl, why);
		return;
	}
	memset(page, 0, PAGE_BYTES);
	why = read_identify(&asked);
	if (why)
		tell_blind(scan, ctrl, why);
	if (!scan->only)
		read_smart(&asked);
	if (scan_is_pcie(ctrl))
		read_features(&asked);
}

void probe_health(const struct sysroot *root, const struct ctrl *ctrl,
		  struct health *ret)
{
	static const struct probe_options options;
	_cleanup_arena_ struct arena *arena = arena_new();
	struct scan scan = { .root = root,
			     .options = &options,
			     .arena = arena };
	struct ctrl now = { .name = ctrl->name, .dev = ctrl->dev };
	const char *dir = arena_printf(arena, "sys/class/nvme/%s", ctrl->name);
	_cleanup_free_ void *page = aligned_alloc(PAGE_BYTES, PAGE_BYTES);
	_cleanup_close_ int fd = -1;

	now.state = scan_text(&scan, "%s/state", dir);
	fd = open_ctrl(&scan, &now);
	if (fd >= 0 && page) {
		memset(page, 0, PAGE_BYTES);
		read_smart(&(const struct asked){ &scan, &now, fd, page });
	} else {
		set_unknown(&now, fd < 0 ? -fd : ENOMEM);
	}
	*ret = (struct health){
		.smart = now.smart,
		.link = scan_link(&scan, arena_printf(arena, "%s/device", dir)),
	};
}

void admin_scan(struct scan *scan)
{
	if (scan->options->no_admin)
		return;
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		if (!scan->only || text_equal(ctrl->name, scan->only))
			scan_admin(scan, ctrl);
}
