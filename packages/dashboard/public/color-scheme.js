// Runs before the first paint, so that a dark page does not flash in the light scheme.
const chosen = localStorage.getItem('mantine-color-scheme-value');
const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const scheme = chosen === 'dark' || chosen === 'light' ? chosen : preferred;
document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
