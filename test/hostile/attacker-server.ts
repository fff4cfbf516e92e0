import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { playlistOf } from '@media-jobs/video/testing';

const cue = (index: number) => {
  const at = new Date(index * 1_000).toISOString().slice(11, 23).replace('.', ',');
  return `${index + 1}\n${at} --> ${at.slice(0, 8)},900\n${'W'.repeat(60)}\n\n`;
};

/** 9 MB of subtitles for a day. */
const hugeSubtitles = () => Array.from({ length: 80_000 }, (_, index) => cue(index)).join('');

const trickleMs = 500;
const trickleBytes = 40;

/** The web server of a hostile owner, for `attacks`: inputs, and receivers of webhooks that never answer. */
export async function anAttackerServer(clip: Buffer): Promise<WebServer> {
  const subtitles = hugeSubtitles();
  return aWebServer(({ path }, response) => {
    if (path === '/clip.mp4') return void response.end(clip);
    if (path === '/cues.srt') return void response.end(subtitles);
    if (path === '/playlist.m3u8') return void response.end(playlistOf('http://169.254.169.254/'));
    if (path !== '/trickle.mp4') return undefined;
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      response.write('x');
      if (sent < trickleBytes) return;
      clearInterval(timer);
      response.end();
    }, trickleMs);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
}
