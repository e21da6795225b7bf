import type { Plugin } from 'vite'

const MODULE = /tanstack-start-manifest:v$/

/**
 * The files of each route, from the manifest of TanStack Start's build. A page loads the files of its matched
 * routes.
 */
export interface StartManifest {
  routes: Record<
    string,
    { css?: string[]; preloads?: string[]; scripts?: { attrs: Record<string, unknown> }[] }
  >
}

/** Returns a plugin hook that changes the manifest of the server's build in place. */
export function onStartManifest(change: (manifest: StartManifest) => void): NonNullable<Plugin['transform']> {
  return async (code, id) => {
    if (!MODULE.test(id)) return null
    const built: { tsrStartManifest(): StartManifest } = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    )
    const manifest = built.tsrStartManifest()
    change(manifest)
    return {
      code: `export const tsrStartManifest = () => (${JSON.stringify(manifest)})`,
      map: { mappings: '' },
    }
  }
}
