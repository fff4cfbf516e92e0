export { ffmpegEncoder } from './runner/encoder.ts';
export { type Launcher, launcherLayers } from './runner/launcher.ts';
export { hashFile, openFile } from './runner/open-file.ts';
export { packetReader } from './runner/packet-reader.ts';
export { fileRewriter, openWorkspace, removeWorkspaces } from './runner/workspace.ts';
