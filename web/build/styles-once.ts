import type { Plugin } from 'vite'

/**
 * Fetches no style that every page brings in itself. Whatever is imported later would otherwise ask for the styles of the first
 * page again as files, and each that comes has the whole page styled anew.
 *
 * @param names the files whose styles are in every page
 */
export function stylesOnce(names: readonly string[]): Plugin {
  return {
    name: 'ondine:styles-once',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        for (const { name, fileName, viteMetadata } of chunks.filter((chunk) => names.includes(chunk.name))) {
          for (const style of viteMetadata?.importedCss ?? []) {
            // The lists of what an import needs are referred to by position. The script in its place is there already.
            for (const chunk of chunks) chunk.code = chunk.code.replaceAll(`"${style}"`, `"${fileName}"`)
          }
          if (viteMetadata?.importedCss.size === 0) throw new Error(`${name} has no styles any more.`)
        }
      },
    },
  }
}
