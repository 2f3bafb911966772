/** Where a reader's choice of light or dark is kept; pages that may not keep anything forget it. */
const THEME_KEY = 'perturbql-theme';

const DARK_SYSTEM = matchMedia('(prefers-color-scheme: dark)');

function keptTheme(): string | null {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function keepTheme(theme: string): void {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The page still changes; only the next one does not know.
  }
}

/** Lets the reader choose light or dark with a button in the page's navigation. */
export function offerTheme(): void {
  const root = document.documentElement;
  const isDark = (): boolean => (root.dataset.theme ?? (DARK_SYSTEM.matches ? 'dark' : 'light')) === 'dark';
  const kept = keptTheme();
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'theme';
  const name = (): void => {
    button.textContent = isDark() ? 'Light mode' : 'Dark mode';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    keepTheme(root.dataset.theme);
    name();
  });
  DARK_SYSTEM.addEventListener('change', name);
  name();
  document.querySelector('nav')?.append(button);
}
