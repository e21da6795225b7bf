import type { MenuEntry, MenuLink, Publication } from '@ondine/contract/publication'
import { useQuery } from '@tanstack/react-query'
import { resolveAddress, type Target } from '../features/links/content-link.ts'
import { menusQuery } from '../features/publication/publication-query.ts'

/** An entry of a menu with where it leads. One with children opens them; it may have a page of its own too. */
export interface MenuItem {
  key: string
  title: string
  /** Address of a picture, empty for none. */
  image: string
  target: Target | undefined
  children: MenuItem[]
}

const NONE: MenuItem[] = []

/** The entries of each answer, resolved once for all that show them. */
const ITEMS = new WeakMap<Publication, { header: MenuItem[]; footer: MenuItem[] }>()

function itemsOf(menus: Publication) {
  const known = ITEMS.get(menus)
  if (known !== undefined) return known
  const made = { header: menuItems(menus.header, 'content'), footer: menuItems(menus.footer, 'footer') }
  ITEMS.set(menus, made)
  return made
}

/** The entries of the navigation bar (V2.4-02). */
export function useHeaderMenu(): MenuItem[] {
  const { data } = useQuery(menusQuery)
  return data === undefined ? NONE : itemsOf(data).header
}

/** The columns of the footer (V2.4-10). */
export function useFooterMenu(): MenuItem[] {
  const { data } = useQuery(menusQuery)
  return data === undefined ? NONE : itemsOf(data).footer
}

/** Entries as they are shown: what leads nowhere and holds nothing is left out. */
export function menuItems(entries: readonly MenuEntry[], where: 'content' | 'footer'): MenuItem[] {
  return entries.flatMap((entry, index) => {
    const children = entry.content.flatMap((link, place) => item(link, `${index}.${place}`, [], where))
    return item(entry, String(index), children, where)
  })
}

function item(
  { title, reference, image }: Pick<MenuLink, 'title' | 'reference' | 'image'>,
  key: string,
  children: MenuItem[],
  where: 'content' | 'footer',
): MenuItem[] {
  const target = reference.trim() === '' ? undefined : resolveAddress(reference, where)
  if (title.trim() === '' || (target === undefined && children.length === 0)) return []
  return [{ key: `${key} ${title}`, title, image, target, children }]
}
