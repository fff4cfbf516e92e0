import { expect, it } from 'vitest';
import { attachmentHeader, statedFilename } from '../../../core/net/response.ts';

/** A header as Node gives one that a host writes in UTF-8. */
const raw = (text: string) => Buffer.from(text).toString('latin1');

it.each([
  ['attachment; filename="film.mp4"', 'film.mp4'],
  ['attachment; filename=film.mp4', 'film.mp4'],
  ['inline;FILENAME = "film.mp4" ; size=3', 'film.mp4'],
  ['filename=film.mp4', 'film.mp4'],
  ['attachment; filename=my film.mp4; size=3', 'my film.mp4'],
  ['attachment; filename="a; filename*=b.mp4"', 'a; filename*=b.mp4'],
  ['attachment; filename="a\\"b.mp4"', 'a"b.mp4'],
  ['attachment; filename="C:\\videos\\film.mp4"', 'film.mp4'],
  ['attachment; filename="../../film.mp4"', 'film.mp4'],
  ['attachment; filename="one.mp4"; filename="two.mp4"', 'one.mp4'],
  ['attachment; filename="film.mp4"; filename*=UTF-8\'\'%D0%A4.mp4', 'Ф.mp4'],
  ["attachment; filename*=UTF-8''%D0%A4.mp4; filename=film.mp4", 'Ф.mp4'],
  ["attachment; filename*=utf-8'ru'%D0%A4%20%281%29.mp4", 'Ф (1).mp4'],
  ['attachment; filename*="UTF-8\'\'%D0%A4.mp4"', 'Ф.mp4'],
  ["attachment; filename*=ISO-8859-1''%E9t%E9.mp4", 'été.mp4'],
  ["attachment; filename=film.mp4; filename*=UTF-8''%E9.mp4", 'film.mp4'],
  ["attachment; filename=film.mp4; filename*=nonsense''a.mp4", 'film.mp4'],
  ['attachment; filename="=?UTF-8?B?0KTQuNC70YzQvC5tcDQ=?="', 'Фильм.mp4'],
  ['attachment; filename="=?utf-8?Q?=D0=A4=D0=B8_1.mp4?="', 'Фи 1.mp4'],
  ['attachment; filename="=?UTF-8?B?0KTQuA==?= =?UTF-8?B?0LvRjNC8?=.mp4"', 'Фильм.mp4'],
  ['attachment; filename="=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=.mp4"', '日本.mp4'],
  [raw('attachment; filename="日本語.mp4"'), '日本語.mp4'],
  ['attachment; filename="été.mp4"', 'été.mp4'],
  ['attachment; filename="%E6%97%A5%E6%9C%AC.mp4"', '日本.mp4'],
  ['attachment; filename="100%.mp4"', '100%.mp4'],
  ['attachment; filename=""', undefined],
  ['attachment', undefined],
  ['nonsense;;;=;"', undefined],
  [undefined, undefined],
])('the file name of a Content-Disposition %j is %j', (header, name) => expect(statedFilename(header)).toBe(name));

it.each([
  ['film.mp4', 'attachment; filename="film.mp4"'],
  ["it's (1).mp4", 'attachment; filename="it\'s (1).mp4"'],
  ['été.mp4', 'attachment; filename="ete.mp4"; filename*=UTF-8\'\'%C3%A9t%C3%A9.mp4'],
  ['日 (1).mp4', 'attachment; filename="_ (1).mp4"; filename*=UTF-8\'\'%E6%97%A5%20%281%29.mp4'],
  ['a%20b.mp4', 'attachment; filename="a_20b.mp4"; filename*=UTF-8\'\'a%2520b.mp4'],
])('the header of a download %s', (name, header) => {
  expect(attachmentHeader(name)).toBe(header);
  expect(statedFilename(header)).toBe(name);
});
