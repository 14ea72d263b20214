/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/facts_fields.h"

#include "json/fields.h"
#include "json/words.h"

/*
 * One row for each field, in the order of core/facts.h; a test finds the
 * field without one.
 */

/* clang-format off */

static const struct field node_rows[] = {
	ROW_INT(struct node, id),
	ROW_CPUSET(struct node, cpus),
	ROW_NUM(struct node, memory_kb),
	ROW_INTS(struct node, distances),
};

static const struct field_table node_table =
	FIELD_TABLE(node_rows, struct node, true);

static const struct field link_rows[] = {
	ROW_NUM(struct link, speed_mts),
	ROW_NUM(struct link, width),
	ROW_NUM(struct link, max_speed_mts),
	ROW_NUM(struct link, max_width),
};

static const struct field_table link_table =
	FIELD_TABLE(link_rows, struct link, true);

static const struct field pci_port_rows[] = {
	ROW_NAME(struct pci_port, address),
	ROW_OBJECT(struct pci_port, link, struct link, &link_table),
};

static const struct field_table pci_port_table =
	FIELD_TABLE(pci_port_rows, struct pci_port, true);

static const struct field named_num_rows[] = {
	ROW_NAME(struct named_num, name),
	ROW_NUM(struct named_num, value),
};

static const struct field_table named_num_table =
	FIELD_TABLE(named_num_rows, struct named_num, true);

static const struct field vector_rows[] = {
	ROW_INT(struct vector, irq),
	ROW_NUM(struct vector, queue),
	ROW_FLAG(struct vector, managed),
	ROW_FLAG(struct vector, shared),
	ROW_CPUSET(struct vector, mask),
	ROW_CPUSET(struct vector, effective),
	ROW_NUM(struct vector, node),
	ROW_NUM(struct vector, count),
};

static const struct field_table vector_table =
	FIELD_TABLE(vector_rows, struct vector, true);

static const struct field power_state_rows[] = {
	ROW_NUM(struct power_state, max_power_mw),
	ROW_NUM(struct power_state, entry_us),
	ROW_NUM(struct power_state, exit_us),
	ROW_FLAG(struct power_state, non_operational),
	ROW_NUM(struct power_state, idle_ms),
	ROW_NUM(struct power_state, idle_state),
};

static const struct field_table power_state_table =
	FIELD_TABLE(power_state_rows, struct power_state, true);

static const struct field smart_rows[] = {
	ROW_NUM(struct smart, critical_warning),
	ROW_NUM(struct smart, temperature_c),
	ROW_NUM(struct smart, available_spare_percent),
	ROW_NUM(struct smart, spare_threshold_percent),
	ROW_NUM(struct smart, used_percent),
	ROW_NUM(struct smart, data_units_read),
	ROW_NUM(struct smart, data_units_written),
	ROW_NUM(struct smart, host_reads),
	ROW_NUM(struct smart, host_writes),
	ROW_NUM(struct smart, busy_minutes),
	ROW_NUM(struct smart, power_cycles),
	ROW_NUM(struct smart, power_on_hours),
	ROW_NUM(struct smart, unsafe_shutdowns),
	ROW_NUM(struct smart, media_errors),
	ROW_NUM(struct smart, error_log_entries),
	ROW_NUM(struct smart, warning_temperature_minutes),
	ROW_NUM(struct smart, critical_temperature_minutes),
	ROW_NUM(struct smart, thermal_1_count),
	ROW_NUM(struct smart, thermal_2_count),
	ROW_NUM(struct smart, thermal_1_seconds),
	ROW_NUM(struct smart, thermal_2_seconds),
};

static const struct field_table smart_table =
	FIELD_TABLE(smart_rows, struct smart, false);

static const struct field dma_pool_rows[] = {
	ROW_NAME(struct dma_pool, name),
	ROW_INT(struct dma_pool, blocks_used),
	ROW_INT(struct dma_pool, blocks_ever),
};

static const struct field_table dma_pool_table =
	FIELD_TABLE(dma_pool_rows, struct dma_pool, true);

static const struct field ctrl_rows[] = {
	ROW_NAME(struct ctrl, name),
	ROW_TEXT(struct ctrl, dev),
	ROW_TEXT(struct ctrl, model),
	ROW_TEXT(struct ctrl, serial),
	ROW_TEXT(struct ctrl, firmware),
	ROW_TEXT(struct ctrl, subsystem),
	ROW_TEXT(struct ctrl, nqn),
	ROW_NUM(struct ctrl, cntlid),
	ROW_TEXT(struct ctrl, transport),
	ROW_TEXT(struct ctrl, state),
	ROW_TEXT(struct ctrl, address),
	ROW_TEXT(struct ctrl, driver),
	ROW_TEXT(struct ctrl, pci_class),
	ROW_TEXT(struct ctrl, pci_vendor),
	ROW_TEXT(struct ctrl, pci_device),
	ROW_NUM(struct ctrl, node),
	ROW_OBJECT(struct ctrl, link, struct link, &link_table),
	ROW_OBJECT(struct ctrl, port, struct link, &link_table),
	ROW_OBJECTS(struct ctrl, path, struct pci_port, &pci_port_table),
	ROW_OBJECTS(struct ctrl, aspm, struct named_num, &named_num_table),
	ROW_TEXT(struct ctrl, runtime_pm),
	ROW_FLAG(struct ctrl, d3cold_allowed),
	ROW_TEXT(struct ctrl, iommu_type),
	ROW_NUM(struct ctrl, queue_count),
	ROW_NUM(struct ctrl, sqsize),
	ROW_NUM(struct ctrl, queue_grant),
	ROW_NUM(struct ctrl, msix_size),
	ROW_NUM(struct ctrl, queues_default),
	ROW_NUM(struct ctrl, queues_read),
	ROW_NUM(struct ctrl, queues_poll),
	ROW_OBJECTS(struct ctrl, vectors, struct vector, &vector_table),
	ROW_OBJECTS(struct ctrl, pools, struct dma_pool, &dma_pool_table),
	ROW_NUM(struct ctrl, mdts),
	ROW_NUM(struct ctrl, npss),
	ROW_NUM(struct ctrl, apsta),
	ROW_NUM(struct ctrl, sgls),
	ROW_NUM(struct ctrl, maxcmd),
	ROW_NUM(struct ctrl, oacs),
	ROW_NUM(struct ctrl, oncs),
	ROW_NUM(struct ctrl, cmic),
	ROW_OBJECTS(struct ctrl, power_states, struct power_state, &power_state_table),
	ROW_NUM(struct ctrl, coalescing),
	ROW_NUM(struct ctrl, coalescing_caps),
	ROW_FLAG(struct ctrl, apst_enabled),
	ROW_NUM(struct ctrl, pm_qos_latency_us),
	ROW_TEXT(struct ctrl, quirks),
	ROW_OBJECT(struct ctrl, smart, struct smart, &smart_table),
};

static const struct field_table ctrl_table =
	FIELD_TABLE(ctrl_rows, struct ctrl, false);

static const struct field hw_queue_rows[] = {
	ROW_CPUSET(struct hw_queue, cpus),
	ROW_NUM(struct hw_queue, nr_tags),
};

static const struct field_table hw_queue_table =
	FIELD_TABLE(hw_queue_rows, struct hw_queue, true);

static const struct field xfs_geometry_rows[] = {
	ROW_NUM(struct xfs_geometry, agcount),
	ROW_NUM(struct xfs_geometry, ag_bytes),
	ROW_NUM(struct xfs_geometry, log_bytes),
};

static const struct field_table xfs_geometry_table =
	FIELD_TABLE(xfs_geometry_rows, struct xfs_geometry, true);

static const struct field mount_rows[] = {
	ROW_NAME(struct mount, device),
	ROW_NAME(struct mount, where),
	ROW_TEXT(struct mount, type),
	ROW_OBJECT(struct mount, xfs, struct xfs_geometry, &xfs_geometry_table),
};

static const struct field_table mount_table =
	FIELD_TABLE(mount_rows, struct mount, true);

static const struct field partition_rows[] = {
	ROW_NAME(struct partition, name),
	ROW_TEXT(struct partition, dev),
	ROW_NUM(struct partition, size_bytes),
};

static const struct field_table partition_table =
	FIELD_TABLE(partition_rows, struct partition, true);

static const struct field ns_rows[] = {
	ROW_NAME(struct ns, name),
	ROW_WORD(struct ns, kind, json_ns_kinds),
	ROW_TEXT(struct ns, ctrl),
	ROW_TEXT(struct ns, head),
	ROW_TEXT(struct ns, subsystem),
	ROW_TEXT(struct ns, dev),
	ROW_NUM(struct ns, nsid),
	ROW_TEXT(struct ns, wwid),
	ROW_NUM(struct ns, size_bytes),
	ROW_NUM(struct ns, block_size),
	ROW_TEXT(struct ns, zoned),
	ROW_FLAG(struct ns, has_mq),
	ROW_FLAG(struct ns, io_poll),
	ROW_NUM(struct ns, max_hw_sectors_kb),
	ROW_OBJECTS(struct ns, hw_queues, struct hw_queue, &hw_queue_table),
	ROW_OBJECTS(struct ns, partitions, struct partition, &partition_table),
	ROW_TEXTS(struct ns, holders),
	ROW_OBJECTS(struct ns, mounts, struct mount, &mount_table),
	ROW_TEXTS(struct ns, swaps),
};

static const struct field_table ns_table = FIELD_TABLE(ns_rows, struct ns, false);

static const struct field layer_rows[] = {
	ROW_NAME(struct layer, name),
	ROW_TEXT(struct layer, dev),
	ROW_TEXT(struct layer, alias),
	ROW_TEXT(struct layer, kind),
	ROW_TEXTS(struct layer, below),
};

static const struct field_table layer_table =
	FIELD_TABLE(layer_rows, struct layer, true);

static const struct field mount_point_rows[] = {
	ROW_NAME(struct mount_point, where),
	ROW_TEXT(struct mount_point, type),
	ROW_TEXTS(struct mount_point, devices),
};

static const struct field_table mount_point_table =
	FIELD_TABLE(mount_point_rows, struct mount_point, true);

static const struct field alias_rows[] = {
	ROW_NAME(struct alias, name),
	ROW_TEXT(struct alias, leads_to),
};

static const struct field_table alias_table =
	FIELD_TABLE(alias_rows, struct alias, true);

static const struct field observation_rows[] = {
	ROW_NAME(struct observation, knob),
	ROW_WORD(struct observation, target_kind, target_kind_names),
	ROW_NAME(struct observation, target),
	ROW_VALUE(struct observation, value),
	ROW_ERRNO(struct observation, why),
	ROW_TEXT(struct observation, choices),
};

static const struct field_table observation_table =
	FIELD_TABLE(observation_rows, struct observation, true);

static const struct field module_param_rows[] = {
	ROW_NAME(struct module_param, name),
	ROW_TEXT(struct module_param, description),
	ROW_TEXT(struct module_param, live),
};

static const struct field_table module_param_table =
	FIELD_TABLE(module_param_rows, struct module_param, true);

static const struct field module_rows[] = {
	ROW_NAME(struct module, name),
	ROW_TEXT(struct module, state),
	ROW_OBJECTS(struct module, params, struct module_param, &module_param_table),
};

static const struct field_table module_table =
	FIELD_TABLE(module_rows, struct module, false);

static const struct field module_option_rows[] = {
	ROW_NAME(struct module_option, module),
	ROW_NAME(struct module_option, param),
	ROW_TEXT(struct module_option, value),
	ROW_NAME(struct module_option, file),
	ROW_INT(struct module_option, line),
};

static const struct field_table module_option_table =
	FIELD_TABLE(module_option_rows, struct module_option, true);

static const struct field kernel_rows[] = {
	ROW_NAME(struct image_kernel, release),
	ROW_TEXT(struct image_kernel, initramfs),
	ROW_OBJECTS(struct image_kernel, modules, struct module, &module_table),
};

static const struct field_table kernel_table =
	FIELD_TABLE(kernel_rows, struct image_kernel, false);

static const struct field rule_line_rows[] = {
	ROW_NAME(struct rule_line, file),
	ROW_INT(struct rule_line, line),
	ROW_TEXT(struct rule_line, attr),
	ROW_TEXT(struct rule_line, value),
	ROW_NAME(struct rule_line, text),
};

static const struct field_table rule_line_table =
	FIELD_TABLE(rule_line_rows, struct rule_line, false);

static const struct field writer_rows[] = {
	ROW_NAME(struct attr_writer, who),
	ROW_NAME(struct attr_writer, file),
	ROW_INT(struct attr_writer, line),
	ROW_NAME(struct attr_writer, attr),
	ROW_TEXT(struct attr_writer, device),
	ROW_NAME(struct attr_writer, value),
	ROW_NAME(struct attr_writer, when),
};

static const struct field_table writer_table =
	FIELD_TABLE(writer_rows, struct attr_writer, true);

static const struct field own_file_rows[] = {
	ROW_NAME(struct own_file, path),
	ROW_FLAG(struct own_file, present),
	ROW_TEXT(struct own_file, content),
	ROW_NUM(struct own_file, mtime),
	ROW_TEXT(struct own_file, store),
	ROW_NUM(struct own_file, mode),
};

static const struct field_table own_file_table =
	FIELD_TABLE(own_file_rows, struct own_file, false);

static const struct field unmanaged_rows[] = {
	ROW_NAME(struct unmanaged, address),
	ROW_TEXT(struct unmanaged, driver),
};

static const struct field_table unmanaged_table =
	FIELD_TABLE(unmanaged_rows, struct unmanaged, true);

static const struct field irqbalance_rows[] = {
	ROW_TEXT(struct irqbalance, unit),
	ROW_TEXT(struct irqbalance, enabled),
	ROW_TEXT(struct irqbalance, command),
	ROW_TEXT(struct irqbalance, variable),
	ROW_TEXT(struct irqbalance, arguments),
	ROW_TEXT(struct irqbalance, set_by),
	ROW_TEXT(struct irqbalance, overridden),
	ROW_TEXT(struct irqbalance, running),
	ROW_FLAG(struct irqbalance, bans_modules),
};

static const struct field_table irqbalance_table =
	FIELD_TABLE(irqbalance_rows, struct irqbalance, false);

static const struct field service_rows[] = {
	ROW_NAME(struct service, name),
	ROW_TEXT(struct service, state),
	ROW_TEXT(struct service, detail),
};

static const struct field_table service_table =
	FIELD_TABLE(service_rows, struct service, true);

static const struct field unit_setting_rows[] = {
	ROW_NAME(struct unit_setting, text),
	ROW_NAME(struct unit_setting, file),
	ROW_INT(struct unit_setting, line),
};

static const struct field_table unit_setting_table =
	FIELD_TABLE(unit_setting_rows, struct unit_setting, false);

static const struct field unit_rows[] = {
	ROW_NAME(struct bound_unit, name),
	ROW_TEXT(struct bound_unit, state),
	ROW_FLAG(struct bound_unit, restarted),
	ROW_OBJECTS(struct bound_unit, later, struct unit_setting,
		    &unit_setting_table),
};

static const struct field_table unit_table =
	FIELD_TABLE(unit_rows, struct bound_unit, true);

static const struct field log_count_rows[] = {
	ROW_NAME(struct log_count, kind),
	ROW_TEXT(struct log_count, device),
	ROW_INT(struct log_count, count),
};

static const struct field_table log_count_table =
	FIELD_TABLE(log_count_rows, struct log_count, true);

static const struct field subsystem_rows[] = {
	ROW_NAME(struct subsystem, name),
	ROW_TEXT(struct subsystem, nqn),
	ROW_TEXT(struct subsystem, type),
	ROW_TEXT(struct subsystem, iopolicy),
};

static const struct field_table subsystem_table =
	FIELD_TABLE(subsystem_rows, struct subsystem, true);

static const struct field cpu_counts_rows[] = {
	ROW_CPUSET(struct cpu_counts, cpus),
	ROW_INTS(struct cpu_counts, counts),
};

static const struct field_table cpu_counts_table =
	FIELD_TABLE(cpu_counts_rows, struct cpu_counts, true);

static const struct field vector_sample_rows[] = {
	ROW_NAME(struct vector_sample, ctrl),
	ROW_INT(struct vector_sample, irq),
	ROW_NUM(struct vector_sample, queue),
	ROW_OBJECT(struct vector_sample, interrupts, struct cpu_counts, &cpu_counts_table),
};

static const struct field_table vector_sample_table =
	FIELD_TABLE(vector_sample_rows, struct vector_sample, true);

static const struct field softirq_sample_rows[] = {
	ROW_NAME(struct softirq_sample, name),
	ROW_OBJECT(struct softirq_sample, raised, struct cpu_counts, &cpu_counts_table),
};

static const struct field_table softirq_sample_table =
	FIELD_TABLE(softirq_sample_rows, struct softirq_sample, true);

static const struct field cpu_sample_rows[] = {
	ROW_INT(struct cpu_sample, cpu),
	ROW_NUM(struct cpu_sample, user_ms),
	ROW_NUM(struct cpu_sample, system_ms),
	ROW_NUM(struct cpu_sample, irq_ms),
	ROW_NUM(struct cpu_sample, softirq_ms),
	ROW_NUM(struct cpu_sample, iowait_ms),
	ROW_NUM(struct cpu_sample, idle_ms),
	ROW_NUM(struct cpu_sample, steal_ms),
};

static const struct field_table cpu_sample_table =
	FIELD_TABLE(cpu_sample_rows, struct cpu_sample, true);

static const struct field disk_sample_rows[] = {
	ROW_NAME(struct disk_sample, disk),
	ROW_NUM(struct disk_sample, reads),
	ROW_NUM(struct disk_sample, read_kb),
	ROW_NUM(struct disk_sample, read_ms),
	ROW_NUM(struct disk_sample, writes),
	ROW_NUM(struct disk_sample, written_kb),
	ROW_NUM(struct disk_sample, write_ms),
	ROW_NUM(struct disk_sample, discards),
	ROW_NUM(struct disk_sample, flushes),
	ROW_NUM(struct disk_sample, busy_ms),
	ROW_NUM(struct disk_sample, in_flight),
};

static const struct field_table disk_sample_table =
	FIELD_TABLE(disk_sample_rows, struct disk_sample, true);

static const struct field samples_rows[] = {
	ROW_NUM(struct samples, interval_ms),
	ROW_OBJECTS(struct samples, vectors, struct vector_sample, &vector_sample_table),
	ROW_OBJECTS(struct samples, softirqs, struct softirq_sample, &softirq_sample_table),
	ROW_OBJECTS(struct samples, cpus, struct cpu_sample, &cpu_sample_table),
	ROW_OBJECTS(struct samples, disks, struct disk_sample, &disk_sample_table),
};

static const struct field_table samples_table =
	FIELD_TABLE(samples_rows, struct samples, false);

static const struct field facts_rows[] = {
	ROW_TEXT(struct facts, hostname),
	ROW_TEXT(struct facts, kernel),
	ROW_TEXT(struct facts, machine),
	ROW_TEXT(struct facts, cmdline),
	ROW_TEXT(struct facts, boot_id),
	ROW_TEXT(struct facts, os_id),
	ROW_TEXT(struct facts, os_version),
	ROW_TEXT(struct facts, os_name),
	ROW_TEXT(struct facts, container),
	ROW_TEXT(struct facts, lockdown),
	ROW_TEXT(struct facts, hypervisor),
	ROW_FLAG(struct facts, root),
	ROW_TEXT(struct facts, initramfs_tool),
	ROW_TEXT(struct facts, initramfs),
	ROW_NUM(struct facts, initramfs_mtime),
	ROW_TEXT(struct facts, cmdline_tool),
	ROW_NUM(struct facts, grub_mtime),
	ROW_NUM(struct facts, page_size),
	ROW_FLAG(struct facts, zone_write_plugging),
	ROW_FLAG(struct facts, multipath),
	ROW_FLAG(struct facts, device_helper),
	ROW_CPUSET(struct facts, possible),
	ROW_CPUSET(struct facts, online),
	ROW_CPUSET(struct facts, isolated),
	ROW_CPUSET(struct facts, allowed),
	ROW_TEXTS(struct facts, cpu_policies),
	ROW_OBJECTS(struct facts, nodes, struct node, &node_table),
	ROW_TEXT(struct facts, governor),
	ROW_TEXT(struct facts, iommu),
	ROW_TEXT(struct facts, iommu_type),
	ROW_OBJECTS(struct facts, ctrls, struct ctrl, &ctrl_table),
	ROW_OBJECTS(struct facts, namespaces, struct ns, &ns_table),
	ROW_OBJECTS(struct facts, layers, struct layer, &layer_table),
	ROW_OBJECTS(struct facts, mount_points, struct mount_point, &mount_point_table),
	ROW_OBJECTS(struct facts, aliases, struct alias, &alias_table),
	ROW_OBJECTS(struct facts, subsystems, struct subsystem, &subsystem_table),
	ROW_OBJECTS(struct facts, unmanaged, struct unmanaged, &unmanaged_table),
	ROW_FLAG(struct facts, image),
	ROW_OBJECTS(struct facts, kernels, struct image_kernel, &kernel_table),
	ROW_OBJECTS(struct facts, modules, struct module, &module_table),
	ROW_OBJECTS(struct facts, options, struct module_option, &module_option_table),
	ROW_OBJECTS(struct facts, ignored_options, struct module_option, &module_option_table),
	ROW_OBJECTS(struct facts, rules, struct rule_line, &rule_line_table),
	ROW_OBJECTS(struct facts, writers, struct attr_writer, &writer_table),
	ROW_OBJECTS(struct facts, own_files, struct own_file, &own_file_table),
	ROW_OBJECTS(struct facts, services, struct service, &service_table),
	ROW_OBJECT(struct facts, irqbalance, struct irqbalance, &irqbalance_table),
	ROW_OBJECTS(struct facts, units, struct bound_unit, &unit_table),
	ROW_TEXTS(struct facts, commands),
	ROW_OBJECTS(struct facts, log, struct log_count, &log_count_table),
	ROW_TEXTS(struct facts, jobs),
	ROW_OBJECTS(struct facts, observed, struct observation, &observation_table),
	ROW_OBJECT(struct facts, samples, struct samples, &samples_table),
	ROW_TEXTS(struct facts, blind),
};

static const struct field_table facts_table =
	FIELD_TABLE(facts_rows, struct facts, false);

/* clang-format on */

const struct field_table *facts_fields(void)
{
	return &facts_table;
}
