import { type Effect, holds, lacks, property } from './effect.ts'

/** Colours that are readable on the service's default grounds. */
const COLORS: Record<string, [property: string, color: string]> = {
  surface0: ['surface-0', '#000814'],
  surface1: ['surface-1', '#0a1020'],
  surface2: ['surface-2', '#101830'],
  surface3: ['surface-3', '#182040'],
  text1: ['text-1', '#fefefe'],
  text2: ['text-2', '#cccccc'],
  text3: ['text-3', '#bbbbbb'],
  accent: ['accent', '#ffaa00'],
  live: ['live', '#ff0055'],
  warning: ['amber', '#ffee00'],
}

/** Effects of the look, the languages and the navigation in the server's page. */
export const LOOK_EFFECTS: readonly Effect[] = [
  { path: 'brand.name', value: 'Lumière', shows: (seen) => /<title>[^<]*Lumière/.test(seen.html) },
  {
    path: 'brand.tagline',
    value: { fra: 'Bonsoir à tous' },
    shows: (seen) => /<title>[^<]*Bonsoir à tous/.test(seen.html),
  },
  ...(['full', 'compact', 'logo'] as const).map(
    (variant): Effect => ({
      clause: 'V3-55',
      path: `brand.logos.${variant}`,
      value: `/icon.svg?${variant}`,
      besides: { 'brand.footerLogo': variant },
      shows: holds(`src="/icon.svg?${variant}"`),
    }),
  ),
  ...(['barLogo', 'narrowLogo', 'footerLogo'] as const).map(
    (place): Effect => ({
      clause: 'V3-55',
      path: `brand.${place}`,
      value: 'logo',
      besides: { 'brand.logos.logo': '/icon.svg?sign' },
      shows: holds('src="/icon.svg?sign"'),
    }),
  ),
  { path: 'brand.icon', value: '/icon.svg?mine', shows: holds('href="/icon.svg?mine"') },

  ...Object.entries(COLORS).map(
    ([name, [custom, color]]): Effect => ({
      clause: 'V3-48',
      path: `colors.${name}`,
      value: color,
      shows: property(custom, color),
    }),
  ),
  { clause: 'V3-48', path: 'style.textFont', value: 'Georgia', shows: property('font-text', '"Georgia"') },
  {
    clause: 'V3-48',
    path: 'style.textFontFile',
    value: '/fonts/own.woff2',
    shows: (seen) =>
      /@font-face\{font-family:"Own Figtree"[^}]*own\.woff2/.test(seen.html) &&
      seen.html.includes('--font-text:"Own Figtree",'),
  },
  {
    clause: 'V3-48',
    path: 'style.displayFont',
    value: 'Georgia',
    shows: property('font-display', '"Georgia"'),
  },
  {
    clause: 'V3-48',
    path: 'style.displayFontFile',
    value: 'https://fonts.test/own.woff2',
    shows: ({ html, policy }) =>
      /@font-face\{font-family:"Own Bricolage Grotesque"[^}]*own\.woff2/.test(html) &&
      html.includes('--font-title:"Own Bricolage Grotesque",') &&
      policy.includes("font-src 'self' https://fonts.test;"),
  },
  { clause: 'V3-48', path: 'style.cardRadius', value: 3, shows: property('radius-card', '3px') },
  { clause: 'V3-48', path: 'style.panelRadius', value: 5, shows: property('radius-panel', '5px') },
  {
    clause: 'V3-48',
    path: 'style.buttonShape',
    value: 'square',
    shows: property('radius-button', '0px'),
  },

  {
    clause: 'V2.4-25',
    path: 'seo.title',
    value: { fra: 'Cinéma du soir' },
    shows: holds('<title>Cinéma du soir</title>'),
  },
  {
    clause: 'V2.4-25',
    path: 'seo.description',
    value: { fra: 'Des films choisis.' },
    shows: holds('content="Des films choisis."'),
  },
  { path: 'seo.image', value: '/icon.svg?share', shows: holds('/icon.svg?share') },
  { path: 'seo.indexed', value: false, shows: holds('name="robots" content="noindex"') },

  {
    clause: 'V3-51',
    path: 'languages.languages',
    value: ['fra'],
    shows: lacks('>English<'),
  },
  {
    path: 'languages.default',
    value: 'eng',
    shows: holds('<html lang="en"'),
  },

  {
    clause: 'V2.3-08',
    path: 'languages.urlPrefix',
    value: true,
    at: '/en/auth/login',
    shows: ({ status, html }) => status === 200 && html.includes('<html lang="en"'),
  },
  {
    clause: 'V2.3-08',
    path: 'languages.redirectRoot',
    value: true,
    besides: { 'languages.urlPrefix': true },
    shows: ({ location }) => /^\/fr\/?$/.test(location ?? ''),
  },
  {
    clause: 'V2.3-08',
    path: 'languages.detectBrowserLanguage',
    value: true,
    shows: holds('<html lang="en"'),
  },

  {
    clause: 'V2.4-11',
    path: 'navigation.storeLinks.ios',
    value: 'https://store.test/ios',
    shows: holds('href="https://store.test/ios"'),
  },
  {
    clause: 'V2.4-11',
    path: 'navigation.storeLinks.android',
    value: 'https://store.test/android',
    shows: holds('href="https://store.test/android"'),
  },
  {
    clause: 'V2.4-10',
    path: 'navigation.copyright',
    value: [{ fra: 'Par {name}' }, { fra: 'Depuis 1895' }],
    shows: ({ html }) => html.includes('>Depuis 1895<') && html.includes('>Par Flip<'),
  },
  {
    clause: 'A2.1-32',
    path: 'navigation.getAccountSettingsMenu',
    value: ['devices'],
    at: '/account/devices',
    signedIn: true,
    shows: lacks('href="/account/security"'),
  },
  {
    clause: 'V2.4-18',
    path: 'navigation.getMenuProfile',
    value: { items: ['aide'], aide: { url: '/page/faq', title: { fra: 'À l’aide' } } },
    at: '/live',
    signedIn: true,
    shows: holds('À l’aide'),
  },
]
