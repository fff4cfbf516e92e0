export { ffmpegEncoder } from './runner/encoder.ts';
export { packetReader } from './runner/packet-reader.ts';
export { type Launcher, launcherLayers } from './runner/process.ts';
export { fileRewriter, hashFile, openFile, openWorkspace, removeWorkspaces } from './runner/workspace.ts';
