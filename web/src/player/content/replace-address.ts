import type { AnyRouter } from '@tanstack/react-router'

/**
 * Replaces the player's address with other content, or with another screen. Goes through the router, because the
 * history does not know the language prefix of addresses (V2.3-08).
 *
 * @param path the path of a screen, without a language prefix
 */
export function replaceAddress(router: Pick<AnyRouter, 'navigate'>, path: string): void {
  void router.navigate({ href: path, replace: true })
}
