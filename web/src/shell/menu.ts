import type { MenuEntry, MenuLink, Publication } from '@ondine/contract/publication'
import { useQuery } from '@tanstack/react-query'
import { resolveAddress, type Target } from '../features/ground/links/content-link.ts'
import { menusQuery } from '../features/ground/menus/menus-query.ts'
import { type MenuReader, mayLeadTo } from './menu-policy.ts'
import { useMenuReader } from './use-menu-reader.ts'

/** An entry of a menu with its target. An entry with sub-entries opens these, and may have a target too. */
export interface MenuItem {
  key: string
  title: string
  /** Address of a picture; empty for none. */
  image: string
  target: Target | undefined
  children: MenuItem[]
}

const NONE: MenuItem[] = []

interface Menus {
  header: MenuItem[]
  footer: MenuItem[]
}

/**
 * Menus by the service's answer and by the kind of viewer, so that the menus of the same answer and kind are computed
 * only once.
 */
const ITEMS = new WeakMap<Publication, Map<string, Menus>>()

function itemsOf(menus: Publication, reader: MenuReader): Menus {
  const kinds = ITEMS.get(menus) ?? new Map<string, Menus>()
  ITEMS.set(menus, kinds)
  const kind = Object.values(reader).join(' ')
  const known = kinds.get(kind)
  if (known !== undefined) return known
  const made = {
    header: openItems(menuItems(menus.header, 'content'), reader),
    footer: openItems(menuItems(menus.footer, 'footer'), reader),
  }
  kinds.set(kind, made)
  return made
}

/**
 * Removes the entries that lead to no screen for this viewer. An entry of which some sub-entries remain is not
 * removed, but only loses its target.
 */
export function openItems(items: readonly MenuItem[], reader: MenuReader): MenuItem[] {
  return items.flatMap((each) => {
    const children = openItems(each.children, reader)
    const target = each.target !== undefined && mayLeadTo(each.target, reader) ? each.target : undefined
    return target === undefined && children.length === 0 ? [] : [{ ...each, target, children }]
  })
}

/** Returns the entries of the navigation bar (V2.4-02). */
export function useHeaderMenu(): MenuItem[] {
  const { data } = useQuery(menusQuery)
  const reader = useMenuReader()
  return data === undefined ? NONE : itemsOf(data, reader).header
}

/** Returns the columns of the footer (V2.4-10). */
export function useFooterMenu(): MenuItem[] {
  const { data } = useQuery(menusQuery)
  const reader = useMenuReader()
  return data === undefined ? NONE : itemsOf(data, reader).footer
}

/** Converts entries for display. Leaves out entries that have neither a target nor sub-entries. */
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
