import Hls from 'hls.js';
import { attachStream } from '../src/job-page/attach-stream.ts';
import { controlVideo } from './controls.ts';
import { previewOf } from './preview.ts';

/** The files of a playback that a page gets behind its hash, by role, as paths of its own origin. */
const given = new URLSearchParams(location.hash.slice(1));

/** The URL of a file of the playback. A path of another origin is ignored: a link must not make this page show it. */
function fileOf(role: string): string | undefined {
  const path = given.get(role);
  const url = path === null ? null : URL.parse(path, location.origin);
  return url?.origin === location.origin && /^\/(play|api\/v1\/jobs)\//.test(url.pathname) ? url.href : undefined;
}

const video = document.querySelector('video') as HTMLVideoElement;
const [hls, mp4, poster, sprite] = ['hls', 'mp4', 'poster', 'sprite'].map(fileOf);
const showError = () => document.querySelector('p')?.removeAttribute('hidden');

video.poster = poster ?? '';
video.addEventListener('error', () => video.error && showError());
const config = { capLevelToPlayerSize: true };
const stream = hls === undefined ? undefined : attachStream(Hls, video, { url: hls, config, onError: showError });
if (stream === undefined) {
  const file = hls ?? mp4;
  if (file === undefined) showError();
  else video.src = file;
}
controlVideo(video, { stream, preview: sprite === undefined ? undefined : previewOf(sprite) });
addEventListener('hashchange', () => location.reload());
