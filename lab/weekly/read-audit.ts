import * as z from 'zod';

const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), fixAvailable: z.unknown() }),
  ),
});

/** What `npm audit --json` found in a package. */
export type Vulnerability = { name: string; severity: string; line: string };

const urgent = ['high', 'critical'];

/**
 * Reads the report of `npm audit --json`.
 *
 * @throws Error if it is none, as of a registry without advisories
 */
export function readAudit(output: string): { found: Vulnerability[]; isUrgent: boolean } {
  const report = reportSchema.safeParse(parseOrUndefined(output));
  if (!report.success) throw new Error(`npm audit has no report: ${output.slice(0, 300)}`);
  const found = Object.entries(report.data.vulnerabilities).map(([name, { severity, range, fixAvailable }]) => {
    const fix = fixAvailable === false ? 'no fix yet' : 'npm audit fix';
    return { name, severity, line: `${severity.padEnd(8)} ${name} ${range} (${fix})` };
  });
  return { found, isUrgent: found.some(({ severity }) => urgent.includes(severity)) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
