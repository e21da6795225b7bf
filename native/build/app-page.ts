import type { Plugin } from 'vite'
import type { AppSettings } from './app-settings.ts'

/**
 * The content security policy of the app's page. Pictures and media may come from any host, because the service
 * may deliver media by a CDN. Scripts may come from the app only.
 */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'connect-src *',
  'img-src * data: blob:',
  'media-src * blob:',
  'font-src * data:',
  'frame-src https:',
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ')

/** Adds the app's `index.html` to the build. The page contains the service's address and loads the application. */
export function appPage({ ONDINE_SERVICE, ONDINE_IDENTITY_KEY, ONDINE_APP_NAME }: AppSettings): Plugin {
  return {
    name: 'ondine:app-page',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry)
        if (entry?.type !== 'chunk') throw new Error('The build has no entry.')
        const styles = [...(entry.viteMetadata?.importedCss ?? [])]
        this.emitFile({
          type: 'asset',
          fileName: 'index.html',
          source: [
            '<!doctype html>',
            `<html lang="fr" data-origin="${inHtml(ONDINE_SERVICE)}" data-identity-key="${inHtml(ONDINE_IDENTITY_KEY)}">`,
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
            `<meta http-equiv="content-security-policy" content="${POLICY}">`,
            `<title>${inHtml(ONDINE_APP_NAME)}</title>`,
            ...styles.map((style) => `<link rel="stylesheet" href="/${style}">`),
            `<script type="module" src="/${entry.fileName}"></script>`,
            '</html>',
          ].join('\n'),
        })
      },
    },
  }
}

function inHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
