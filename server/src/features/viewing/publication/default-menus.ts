import { ARTICLES } from '@ondine/contract/editorial'
import type { Category } from '@ondine/contract/entities'
import { type BundledLanguage, bundledLanguage, type Language } from '@ondine/contract/languages'
import type { MenuEntry, MenuLink, Publication } from '@ondine/contract/publication'
import type { LinkedText } from '../editorial/editorial.service.ts'

/** Maximum number of entries under an entry of the header. They fill a dropdown of 4 columns. */
const MOST_CONTENT = 16

const TITLES = {
  home: { fra: 'Accueil', eng: 'Home' },
  genres: { fra: 'Genres', eng: 'Genres' },
  live: { fra: 'Direct', eng: 'Live' },
  guide: { fra: 'Guide', eng: 'Guide' },
  myList: { fra: 'Ma liste', eng: 'My list' },
  discover: { fra: 'Découvrir', eng: 'Discover' },
  categories: { fra: 'Toutes les rubriques', eng: 'All categories' },
  allContent: { fra: 'Tout le catalogue', eng: 'Full catalogue' },
  account: { fra: 'Compte', eng: 'Account' },
  offers: { fra: 'Offres', eng: 'Offers' },
  devices: { fra: 'Appareils', eng: 'Devices' },
  signIn: { fra: 'Se connecter', eng: 'Sign in' },
  register: { fra: 'Créer un compte', eng: 'Create an account' },
  details: { fra: 'Informations personnelles', eng: 'Personal details' },
  security: { fra: 'Sécurité', eng: 'Security' },
  magazine: { fra: 'Magazine', eng: 'Magazine' },
  help: { fra: 'Aide', eng: 'Help' },
  firstSteps: { fra: 'Bien débuter', eng: 'Getting started' },
  questions: { fra: 'Questions fréquentes', eng: 'FAQ' },
  terms: { fra: 'Conditions d’utilisation', eng: 'Terms of use' },
  privacy: { fra: 'Confidentialité', eng: 'Privacy' },
  legal: { fra: 'Mentions légales', eng: 'Legal notice' },
} as const satisfies Record<string, Record<BundledLanguage, string>>

/**
 * Builds the menus of a storefront whose operator has published no menus: the catalogue's tree, the screens
 * that all storefronts have, and the pages that exist.
 *
 * @param tree the categories that the viewer sees, without categories that are empty for the viewer
 */
export function defaultMenus(
  tree: readonly Category[],
  written: ReadonlySet<LinkedText>,
  language: Language,
): Publication {
  const title = (name: keyof typeof TITLES) => TITLES[name][bundledLanguage(language)]
  const link = (name: keyof typeof TITLES, reference: string): MenuLink => ({
    id: name,
    title: title(name),
    reference,
    image: '',
  })
  const linkTo = (text: LinkedText, name: keyof typeof TITLES, reference: string) =>
    written.has(text) ? [link(name, reference)] : []
  const { main, genres } = sorted(tree)
  const column = (name: keyof typeof TITLES, content: MenuLink[]) => entry(title(name), '', content)
  const all = link('categories', 'category')
  // If there is not enough room, the last entry leads to the remaining genres, which have the fewest titles.
  const shown = genres.length > MOST_CONTENT ? largest(genres, MOST_CONTENT - 1) : genres
  const dropdown = [...shown.map(categoryLink), ...(shown.length < genres.length ? [all] : [])]
  return {
    header: [
      entry(title('home'), '/'),
      ...main.map((category) => entry(category.name, contentLink(category))),
      entry(title('live'), 'live'),
      entry(title('guide'), 'epg'),
      // Pages show this entry to signed-in viewers only.
      entry(title('myList'), 'account-favorites'),
      ...(genres.length === 0 ? [] : [column('genres', dropdown)]),
    ],
    footer: [
      column('discover', [
        link('allContent', 'assets'),
        all,
        link('live', 'live'),
        link('guide', 'epg'),
        ...linkTo(ARTICLES, 'magazine', 'articles'),
      ]),
      // Pages show each viewer the entries that apply: to sign in, or for the account.
      column('account', [
        link('signIn', 'auth-login'),
        link('register', 'register'),
        link('details', 'account-informations'),
        link('security', 'account-security'),
        link('devices', 'account-devices'),
        link('offers', 'offers'),
      ]),
      column('help', [
        ...linkTo('help', 'firstSteps', 'page/help'),
        ...linkTo('faq', 'questions', 'page/faq'),
        ...linkTo('terms', 'terms', 'page/terms'),
        ...linkTo('privacy', 'privacy', 'page/privacy'),
        ...linkTo('legal', 'legal', 'legal'),
      ]),
    ].filter(({ content }) => content.length > 0),
  }
}

/**
 * Returns the first category of films and the first category of series as `main`, and all other categories as `genres`.
 * Leaves out series, because a series is a title, and a menu does not list titles.
 */
function sorted(tree: readonly Category[]): { main: Category[]; genres: Category[] } {
  const holdsSeries = (category: Category) => category.categories.some(({ isSerie }) => isSerie)
  const plain = tree.filter((category) => !category.isSerie)
  const main = [plain.find((category) => !holdsSeries(category)), plain.find(holdsSeries)].filter(
    (category) => category !== undefined,
  )
  return { main, genres: plain.filter((category) => !main.includes(category)) }
}

/** Returns the `count` categories with the most titles, in their original order. */
function largest(categories: readonly Category[], count: number): Category[] {
  const kept = new Set(categories.toSorted((one, other) => other.assetCount - one.assetCount).slice(0, count))
  return categories.filter((category) => kept.has(category))
}

function entry(title: string, reference: string, content: MenuLink[] = []): MenuEntry {
  return { title, reference, image: '', content }
}

function categoryLink(category: Category): MenuLink {
  return { id: String(category.idCatalog), title: category.name, reference: contentLink(category), image: '' }
}

/**
 * Returns the content link of a category (V2.2-02, V2.2-03). Pages of an earlier version that are still open do not
 * resolve names with slashes.
 */
function contentLink({ idCatalog, name, isSerie }: Category): string {
  return `${isSerie ? 'series' : 'vod_category'}/${idCatalog}/${name.replaceAll('/', ' ')}`
}
