/** One requirement of a stage: fulfilled, a quota to raise, a setting or tool to change, unknown, or a warning. */
export type Finding = { requirement: string; status: 'ok' | 'raise' | 'change' | 'unknown' | 'warn'; advice: string };

/** One line for a terminal. */
export function formatFinding({ requirement, status, advice }: Finding): string {
  return `  ${status.padEnd(8)} ${requirement} (${advice})`;
}
