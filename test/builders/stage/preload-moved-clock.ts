import { moveClock } from './moved-clock.ts';

// Every function of the stage preloads this file, with the path of the offset in its query.
moveClock(new URL(import.meta.url).searchParams.get('offset') ?? '');
