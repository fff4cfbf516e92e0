export { argumentTexts, type Command, concatListInput, ffmpegArguments } from './media/ffmpeg/command.ts';
export { classifyFailure } from './media/ffmpeg/ffmpeg-errors.ts';
export {
  EncodeError,
  type Encoder,
  type FileRewriter,
  type RemoteMedia,
  type RunOptions,
  type RunRecord,
  recordRuns,
  type Workspace,
} from './media/ffmpeg/ports.ts';
export { hasContinuousTimestamps } from './media/ffmpeg/seek.ts';
export { summarizeScores } from './media/ffmpeg/vmaf-comparison.ts';
export { compositeOn } from './media/filters/alpha.ts';
export { chainText, filter } from './media/filters/filter.ts';
export { toneMap } from './media/filters/tone-map.ts';
