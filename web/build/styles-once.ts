import type { Plugin } from 'vite'
import { onStartManifest } from './start-manifest.ts'

/** The route that every page consists of, screens without a shell included. */
const ROOT = '__root__'

/**
 * Puts the styles of some files into every page, and has nothing fetch them again. Without this, code that is imported later
 * would ask for the styles of the first page as files, and each file that comes has the whole page styled anew.
 *
 * Both halves belong together. A style that is never fetched must be in every page: the player has no shell, but what it leads
 * to inside the application has one.
 *
 * @param names the files whose styles are in every page, in their order
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
              throw new Error(`${name} has no styles any more.`)
            styles.push(...imported)
            for (const style of imported) {
              // The lists of what an import needs are referred to by position. The script in its place is there already.
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
        if (root === undefined || styles.length === 0) throw new Error('There is no page to put styles into.')
        root.css = [...new Set([...(root.css ?? []), ...styles.map((style) => `/${style}`)])]
      }),
    },
  ]
}
