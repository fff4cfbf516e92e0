import { basename, extname, relative } from 'node:path';
import { formatBytes, formatDollars, formatDuration } from '../formatting/quantities.ts';
import type { ComparedFile } from './score-file.ts';

type Comparison = { presets: readonly [string, string]; files: readonly ComparedFile[]; folder: string };

const shownFiles = /^\.(mp4|webm|mov|m4v|jpe?g|png|webp|gif|avif)$/i;

/** A page beside the files of a comparison: each pair under a slider, with its figures. It loads nothing else. */
export function comparisonPage({ presets, files, folder }: Comparison): string {
  const pairs = Map.groupBy(files, ({ input, output }) => JSON.stringify([input, output]));
  const sections = [...pairs.values()].map((pair) => {
    const [{ input = '', output = '' } = {}] = pair;
    const title = `${basename(input)} · ${output}`;
    const [before, after] = presets.map((preset) => pair.find((file) => file.preset === preset));
    const canShow = before && after && [before, after].every(({ path }) => shownFiles.test(extname(path)));
    const view = canShow
      ? `<div class="view">${media(before, folder)}${media(after, folder)}</div>
<input type="range" value="50" aria-label="Border between ${escapeHtml(presets[0])} and ${escapeHtml(presets[1])}">`
      : '';
    return `<section><h2>${escapeHtml(title)}</h2>${view}${table(pair)}</section>`;
  });
  const title = `${escapeHtml(presets[0])} and ${escapeHtml(presets[1])}`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
<h1>${title}</h1>
<p>Left of the border is ${escapeHtml(presets[0])}, right of it ${escapeHtml(presets[1])}.</p>
${sections.join('\n')}
<script>${script}</script></html>
`;
}

function media({ path }: ComparedFile, folder: string): string {
  const url = relative(folder, path).split(/[\\/]/).map(encodeURIComponent).join('/');
  const isVideo = /^\.(mp4|webm|mov|m4v)$/i.test(extname(path));
  return isVideo
    ? `<video src="${escapeHtml(url)}" muted playsinline></video>`
    : `<img src="${escapeHtml(url)}" alt="">`;
}

function table(files: readonly ComparedFile[]): string {
  const rows = files.map(({ preset, sizeBytes, vmaf, vmafP5, seconds, usd }) => {
    const scores = [vmaf?.toFixed(2) ?? '–', vmafP5?.toFixed(2) ?? '–'];
    const cells = [preset, formatBytes(sizeBytes), ...scores, formatDuration(seconds), formatDollars(usd)];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  const titles = ['Preset', 'Size', 'VMAF', 'VMAF, 5 %', 'Time of the job', 'Price of the job'];
  return `<table><tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>${rows.join('')}</table>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const style = `body{font:16px system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#111;background:#fff}
.view{position:relative;--border:50%;line-height:0}.view>*{width:100%}
.view>:last-child{position:absolute;inset:0;height:100%;clip-path:inset(0 0 0 var(--border))}
input{width:100%}td,th{text-align:left;padding:.25rem 1.5rem .25rem 0}`;

/** The second video follows the first. A click plays and pauses both. */
const script = `for (const view of document.querySelectorAll('.view')) {
  view.nextElementSibling.oninput = (event) => view.style.setProperty('--border', event.target.value + '%');
  const [first, second] = view.querySelectorAll('video');
  if (!first || !second) continue;
  view.onclick = () => first.paused ? first.play() : first.pause();
  first.onplay = () => second.play();
  first.onpause = () => { second.pause(); second.currentTime = first.currentTime; };
  first.onseeked = () => { second.currentTime = first.currentTime; };
  first.ontimeupdate = () => {
    if (Math.abs(second.currentTime - first.currentTime) > 0.15) second.currentTime = first.currentTime;
  };
  first.loop = second.loop = true;
}`;
