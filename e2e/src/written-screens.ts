/** Every screen of written content, with its heading in each language. */
export const WRITTEN_SCREENS = [
  { path: '/read/articles', fra: 'Le magazine', eng: 'The magazine' },
  { path: '/read/articles/lire-la-mer', fra: 'Lire la mer', eng: 'Reading the sea' },
  { path: '/read/lifestyle', fra: 'Art de vivre', eng: 'Lifestyle' },
  { path: '/disciplines/voile', fra: 'Voile', eng: 'Sailing' },
  { path: '/page', fra: 'Aide et informations', eng: 'Help and information' },
  { path: '/page/about', fra: 'À propos', eng: 'About' },
  { path: '/page/faq', fra: 'Questions fréquentes', eng: 'Frequently asked questions' },
  { path: '/help', fra: 'Aide', eng: 'Help' },
  { path: '/legal', fra: 'Mentions légales', eng: 'Legal notice' },
] as const
