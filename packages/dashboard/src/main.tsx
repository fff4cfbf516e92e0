import './styles/initial.ts';
import type { DashboardConfig } from '@media-jobs/core/api';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
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

/**
 * Reads the configuration of this stage.
 * @throws Error if the file is missing or is not JSON
 */
async function readConfig(): Promise<DashboardConfig> {
  const response = await fetch('/app/config.json');
  if (!response.ok) {
    throw new Error(`Could not read /app/config.json: expected status 200, got ${response.status}.`);
  }
  return response.json();
}
