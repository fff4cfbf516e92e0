import Hls from 'hls.js';
import { attachStream } from '../src/job-page/attach-stream.ts';
import { controlVideo } from './controls.ts';
import { previewOf } from './preview.ts';

/** The parts of a playback that a page gets behind its hash, as paths of its own origin. */
const given = new URLSearchParams(location.hash.slice(1));

/** A part of the playback. Nobody makes this page play or show files of another origin. */
function part(name: string): string | undefined {
  const path = given.get(name);
  const url = path === null ? null : URL.parse(path, location.origin);
  return url?.origin === location.origin && /^\/(play|api\/v1\/jobs)\//.test(url.pathname) ? url.href : undefined;
}

const video = document.querySelector('video') as HTMLVideoElement;
const [hls, mp4, poster, sprite] = ['hls', 'mp4', 'poster', 'sprite'].map(part);
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
