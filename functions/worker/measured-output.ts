import type { PlannedOutput } from '../../core/encoding/plan.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { Probe } from '../../core/media/probe/probe.ts';

/** A finished file, verified against its plan. */
export type MeasuredOutput = {
  planned: PlannedOutput;
  path: string;
  sizeBytes: number;
  /** Undefined for a playlist, and for a file that ffmpeg did not write. */
  probe?: Probe;
};

export type WrittenOutputs = { outputs: readonly PlannedOutput[]; directory: string; workspace: Workspace };
