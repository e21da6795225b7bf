import type { Plugin } from 'vite'
import { onStartManifest } from './start-manifest.ts'

/** The root route. It is part of every page, including screens without a shell. */
const ROOT = '__root__'

/**
 * Puts the styles of some chunks into every page, and prevents that they are fetched again. Otherwise lazily
 * imported code would request the styles of the first page as files, and each arriving file would recompute the
 * styles of the whole page.
 *
 * The two plugins depend on each other: a style that is never fetched must be in every page. For example, the page
 * of the player has no shell, but the viewer can go from there to screens with a shell.
 *
 * @param names the chunks whose styles are in every page, in their order
 */
export function stylesOnce(names: readonly string[]): Plugin[] {
  const styles: string[] = []
  return [
    {
      name: 'ondine:styles-once',
      applyToEnvironment: (environment) => environment.name === 'client',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
          for (const name of names) {
            const file = chunks.find((chunk) => chunk.name === name)
            const imported = [...(file?.viteMetadata?.importedCss ?? [])]
            if (file === undefined || imported.length === 0)
              throw new Error(`The chunk ${name} has no styles any more.`)
            styles.push(...imported)
            for (const style of imported) {
              // A lazy import refers to its dependencies by their position in a list. So the style is not removed
              // from the list, but replaced by a script that is already loaded.
              for (const chunk of chunks)
                chunk.code = chunk.code.replaceAll(`"${style}"`, `"${file.fileName}"`)
            }
          }
        },
      },
    },
    {
      name: 'ondine:styles-in-every-page',
      apply: 'build',
      applyToEnvironment: (environment) => environment.name === 'ssr',
      transform: onStartManifest(({ routes }) => {
        const root = routes[ROOT]
        if (root === undefined || styles.length === 0)
          throw new Error('The manifest has no root route, or there are no styles to put into it.')
        root.css = [...new Set([...(root.css ?? []), ...styles.map((style) => `/${style}`)])]
      }),
    },
  ]
}
