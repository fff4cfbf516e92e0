import './styles/initial.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readConfig } from './config.ts';
import { MessagePage } from './ui/message-page.tsx';
import { ThemeProvider } from './ui/theme-provider.tsx';

const root = createRoot(document.getElementById('root') as HTMLElement);

readConfig().then(
  (config) => root.render(<App config={config} />),
  (error: unknown) =>
    root.render(
      <ThemeProvider>
        <main>
          <MessagePage
            title="Could not start the dashboard"
            action={{ label: 'Try again', onClick: () => window.location.reload() }}
          >
            {String(error)}
          </MessagePage>
        </main>
      </ThemeProvider>,
    ),
);
