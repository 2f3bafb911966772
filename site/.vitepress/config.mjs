import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitepress';
import { slugOf } from '../slug.mjs';

// site/build.mjs puts the pages together, and says where.
const folder = process.env.SITE_FOLDER;
const { sidebar } = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8'));

export default defineConfig({
  title: 'perturbql',
  description: 'Adversarial table perturbation for Text-to-SQL',
  lang: 'en-US',
  base: process.env.SITE_BASE ?? '/',
  srcDir: join(folder, 'pages'),
  outDir: join(folder, 'dist'),
  cacheDir: join(folder, 'cache'),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/#guides' },
      { text: 'Playground', link: '/playground' },
      { text: 'Reports', link: '/reports' },
      { text: 'Commands', link: '/cli' },
    ],
    sidebar,
  },
});
