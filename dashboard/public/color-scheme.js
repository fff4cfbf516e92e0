// Runs before the first paint, so that a page in the dark never flashes in the light.
const chosen = localStorage.getItem('mantine-color-scheme-value');
const dark = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
const scheme = chosen === 'dark' || chosen === 'light' ? chosen : dark;
document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
