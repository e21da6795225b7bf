import type { ConfigurationDocument } from '@ondine/contract/configuration'
import { BREAKS_FILE, SPOTS_FOLDER } from '@ondine/demo/spots'
import type { Context } from '../../../context.ts'
import { FIRST_STOREFRONT, type StorefrontRow } from '../../settings/storefronts/storefronts.service.ts'

/** Path of the demonstration's titles in the library. */
export const DEMONSTRATION_FOLDER = 'demonstration'

/** The crescent in the Nocturne logo. */
const MOON = '<path d="M45 44A26 26 0 1 1 33 7a20 20 0 1 0 12 37z" fill="#f2b880"/>'
/**
 * The name beside the crescent. An embedded image cannot use the page's fonts, so the text uses common system
 * fonts.
 */
const NAME =
  '<text x="72" y="47" font-family="Georgia, DejaVu Serif, serif" font-size="44" fill="#f7efe9">Nocturne</text>'

/** Configurations of the demonstration's storefronts. The first storefront uses the defaults. */
const CONFIGURATIONS: Record<string, ConfigurationDocument> = {
  [FIRST_STOREFRONT.demonstration]: {
    // The default date format for English (year, day, month) is easily misread (V3-51, spec 13).
    languages: { dateFormats: { fra: 'D MMMM YYYY', eng: 'D MMMM YYYY' } },
    // French is the first language of the demonstration's films and channels.
    player: { defaultAudio: 'fra' },
    // As long as the longest block of the channels, so that start-over works for the whole block
    // (docs/decisions/0037).
    live: { timeshiftOttConfig: 7200 },
    // Many people share the demonstration accounts, so the numbers of devices and sessions are not limited.
    accounts: { maximumDevices: 0, maximumSessions: 0 },
    catalogue: { aiSummary: { enabled: true } },
    ads: {
      serverUrl: `library:${DEMONSTRATION_FOLDER}/${SPOTS_FOLDER}/${BREAKS_FILE}`,
      adFreePackages: ['no-ads'],
    },
    // The default rails and a rail of the magazine. The defaults do not include that rail, because not every
    // service has a magazine.
    home: {
      connected: [
        { id: 'hero', source: 'hero', limit: 5 },
        { id: 'live', source: 'live' },
        { id: 'continue', source: 'continue' },
        { id: 'favorites', source: 'favorites' },
        { id: 'categories', source: 'categories' },
        { id: 'magazine', source: 'editorial' },
      ],
      disconnected: [
        { id: 'hero', source: 'hero', limit: 5 },
        { id: 'live', source: 'live' },
        { id: 'categories', source: 'categories' },
        { id: 'magazine', source: 'editorial' },
      ],
      // Titles over pictures are large. Titles between pictures are small, so that the pictures stand out.
      titleSizes: { hero: 72, fullscreen: 80, rail: 26, cover: 18, poster: 18, posterDetail: 19, totem: 18 },
    },
  },
  nocturne: {
    brand: {
      tagline: { fra: 'Le cinéma après minuit', eng: 'Cinema after midnight' },
      logos: { full: picture(280, NAME), compact: picture(64), logo: picture(64) },
      icon: picture(64),
    },
    colors: {
      surface0: '#120c12',
      surface1: '#1b121b',
      surface2: '#271a26',
      surface3: '#382634',
      text1: '#f7efe9',
      text2: '#cdbcb9',
      text3: '#a08f93',
      accent: '#f2b880',
      live: '#e5484d',
      warning: '#f5d76e',
    },
    style: {
      textFont: 'Bricolage Grotesque',
      displayFont: 'Figtree',
      cardRadius: 2,
      panelRadius: 4,
      buttonShape: 'square',
    },
    seo: {
      title: { fra: 'Nocturne · Le cinéma après minuit', eng: 'Nocturne · Cinema after midnight' },
      description: {
        fra: 'Des films pour ceux qui ne dorment pas encore, et les chaînes qui les accompagnent.',
        eng: 'Films for those who are not asleep yet, and the channels that keep them company.',
      },
    },
    languages: { dateFormats: { fra: 'D MMMM YYYY', eng: 'D MMMM YYYY' } },
    navigation: {
      copyright: [
        { fra: '© {year} {name}. La nuit nous appartient.', eng: '© {year} {name}. The night is ours.' },
        {
          fra: 'Deuxième vitrine de la démonstration : mêmes films, autre enseigne.',
          eng: 'Second storefront of the demonstration: same films, different name.',
        },
      ],
    },
    player: { defaultAudio: 'fra' },
    live: { timeshiftOttConfig: 7200 },
    home: {
      titleSizes: { hero: 64, rail: 30 },
      connected: [
        { id: 'hero', source: 'hero', limit: 3 },
        {
          id: 'continue',
          source: 'continue',
          title: { fra: 'Là où la nuit s’est arrêtée', eng: 'Where the night left off' },
        },
        { id: 'categories', source: 'categories', sort: 'random' },
        { id: 'live', source: 'live', title: { fra: 'Encore debout', eng: 'Still up' } },
      ],
      disconnected: [
        { id: 'hero', source: 'hero', limit: 3 },
        { id: 'categories', source: 'categories', sort: 'random' },
        { id: 'live', source: 'live', title: { fra: 'Encore debout', eng: 'Still up' } },
      ],
    },
    settings: { environmentId: 'demonstration' },
  },
}

/**
 * Creates the missing storefronts of the demonstration, and sets the configurations that were never set.
 *
 * @returns all storefronts of the demonstration
 */
export async function ensureDemonstrationStorefronts({
  storefronts,
  configurations,
}: Pick<Context, 'storefronts' | 'configurations'>): Promise<StorefrontRow[]> {
  if (!storefronts.of('nocturne')) {
    await storefronts.create({
      apiKey: 'nocturne',
      name: 'Nocturne',
      demonstration: true,
      // Browsers resolve all names under localhost to the local machine.
      hosts: ['nocturne.localhost'],
    })
  }
  const found: StorefrontRow[] = []
  for (const [apiKey, document] of Object.entries(CONFIGURATIONS)) {
    const storefront = storefronts.of(apiKey)
    if (!storefront) continue
    found.push(storefront)
    const { revision } = configurations.stored(storefront.id)
    if (revision > 0) continue
    const authorship = { author: 'demonstration', reason: 'What the demonstration begins with' }
    await configurations.document(storefront.id).replace(revision, { ...document }, authorship)
  }
  return found
}

function picture(width: number, beside = ''): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 64">${MOON}${beside}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
