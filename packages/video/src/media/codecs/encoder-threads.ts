/** The number of threads that an encoder takes for itself, by the CPUs of its machine. */
const threadsByEncoder: Record<string, (cpuCount: number) => number> = {
  libx264: (cpuCount) => Math.max(1, Math.floor((cpuCount * 3) / 2)),
  // Frames that x265 encodes at the same time.
  libx265: (cpuCount) => [4, 8, 16].filter((count) => cpuCount >= count).length + 1,
};

/**
 * Writes the number of threads after each encoder whose frames depend on it, unless it is there: the command makes the same
 * bytes on a machine with another number of CPUs. VP9 and AV1 are the same with any number.
 */
export function fixEncoderThreads(outputArguments: readonly string[], cpuCount: number): string[] {
  return outputArguments.flatMap((argument, index) => {
    const threads = outputArguments[index - 1] === '-c:v' ? threadsByEncoder[argument] : undefined;
    if (threads === undefined || outputArguments[index + 1] === '-threads:v') return [argument];
    return [argument, '-threads:v', String(threads(cpuCount))];
  });
}
