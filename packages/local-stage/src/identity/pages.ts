import { demoUser } from './demo-user.ts';

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; text-align: center; padding: 0 24px; box-sizing: border-box; }
  h1 { font-size: 1.25rem; margin: 0 0 8px; }
  p { margin: 0 0 24px; opacity: 0.8; }
  button { font: inherit; font-weight: 600; padding: 12px 20px; border: 0; border-radius: 8px; background: #3b4fc4; color: #fff; cursor: pointer; }
  button:focus-visible { outline: 3px solid #8c9bff; outline-offset: 2px; }
`;

export function signInPage(action: string): string {
  return page(
    'Sign in',
    `<h1>Local identity provider</h1>
    <p>It has one user and asks for no password.</p>
    <form method="post" action="${action}"><button autofocus>Continue as ${demoUser.name}</button></form>`,
  );
}

/** @param form the hidden form of the provider, which the button submits */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out?</h1>
    <p>You are signed in as ${demoUser.name}.</p>
    ${form}<button autofocus type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
  );
}

/** @param problem plain text, not markup */
export function errorPage(problem: string): string {
  return page('Sign-in failed', `<h1>Sign-in failed</h1><p>${escaped(problem)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
    <body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
