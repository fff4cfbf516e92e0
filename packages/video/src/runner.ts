export { ffmpegEncoder } from './runner/encoder.ts';
export { fileRewriter, type Launcher, launcherLayers, openWorkspace, removeWorkspaces } from './runner/launcher.ts';
export { hashFile, openFile } from './runner/open-file.ts';
export { packetReader } from './runner/packet-reader.ts';
