export { isDiskFull, toDiskFullError } from './errors.ts';
export { bytesOf, type ReadAt, readBoxes, readBytes, requireBox, viewOf } from './media/boxes.ts';
export { type EncoderSettings, type Quality, videoCodecArguments } from './media/codecs/encoder-arguments.ts';
export {
  defaultCrf,
  defaultPreset,
  maxBitrateKbps,
  type Preset,
  presets,
  twoPassCodecs,
  type VideoCodec,
  videoCodecs,
} from './media/codecs/video-codecs.ts';
export { damageOfRuns, damageWarnings, explainByDamage } from './media/damage.ts';
export {
  type ClearFile,
  type EncryptedLayout,
  encryptedLayout,
  encryptSegments,
  type SegmentCipher,
  type StreamEncryption,
} from './media/encryption/aes-128.ts';
export { type Format, formats, type VideoFormat } from './media/formats.ts';
export {
  type Fragment,
  type FragmentedFile,
  fragmentSamples,
  readFragmentedFile,
  sampleDescriptionOf,
  segmentIndex,
  withMediaTime,
} from './media/fragments/fragmented-file.ts';
export { fragmentHead, type Sample } from './media/fragments/write-fragment.ts';
export { maxOutputFps } from './media/frame-rate.ts';
export type { Size } from './media/frame-size.ts';
export { withBitRates } from './media/mp4/bit-rates.ts';
export { type Movie, readMovie } from './media/mp4/read-movie.ts';
export { readMp4AudioTrack } from './media/mp4/read-track.ts';
export { carriesCaptions } from './media/nal/carries-captions.ts';
export { verifyOutput } from './media/outputs/verify-output.ts';
export {
  describeFile,
  type FileRecord,
  fileRecordSchema,
  type InputFile,
  inputFileSchema,
  type JobWarning,
  jobWarningsSchema,
  joinWarnings,
  outputFilesSchema,
  type WarningCode,
  warningCodes,
  workResultSchema,
} from './media/outputs/work-result.ts';
export {
  type AudioTrack,
  type MeasuredAudio,
  type MeasuredSet,
  type MeasuredSubtitles,
  type MeasuredVideo,
  maxFrameRate,
  type PlannedPlaylist,
  rateTracks,
  type SubtitleTrack,
  type Unrated,
  type VideoTrack,
} from './media/playlists/adaptive-set.ts';
export { dashManifest } from './media/playlists/dash-manifest.ts';
export { masterPlaylist, mediaPlaylist } from './media/playlists/hls-playlists.ts';
export {
  canReferenceFiles,
  eachReference,
  findReferences,
  type ReferencingFormat,
  removeQueries,
  replaceReferences,
  verifyPlaylist,
} from './media/playlists/references.ts';
export { groupIntoSegments, type Segment } from './media/playlists/segment-rates.ts';
export {
  assertSetReferences,
  cueFile,
  dashFile,
  hlsFile,
  mediaFile,
  referencesSet,
  referencingFilePattern,
  sheetName,
  streamPlaylistPattern,
  subtitleSegmentsFile,
} from './media/playlists/set-files.ts';
export { runOrder } from './recipes/graph/conditions.ts';
