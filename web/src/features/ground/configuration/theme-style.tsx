import type { Configuration } from '@ondine/contract/configuration'
import { createIsomorphicFn } from '@tanstack/react-start'
import { useEffect, useRef, useState } from 'react'
import { atService } from '../../../api/at-service.ts'
import { serverContext } from '../../../api/environment.ts'
import televisionStyles from '../../../design/tokens/television.css?inline'
import { themeStyleSheet } from '../../../design/tokens/theme.ts'
import { useConfiguration } from './use-configuration.ts'

const ID = 'theme'

/**
 * The style sheets by configuration, each computed once, because the server renders many pages with the same
 * configuration.
 */
const sheets = new WeakMap<Configuration, string>()

/** Returns the first style sheet of a page. The server computes it, and the browser reads it from the page. */
const firstSheet = createIsomorphicFn()
  .server((configuration: Configuration): string => {
    const sheet = sheets.get(configuration) ?? themeStyleSheet(configuration)
    sheets.set(configuration, sheet)
    return serverContext().television ? sheet + televisionStyles : sheet
  })
  .client((_configuration: Configuration): string => document.getElementById(ID)?.textContent ?? '')

/**
 * The operator's theme (V3-48) in the head of the page, so that it applies before anything is rendered. The
 * theme of a new configuration is a constructed style sheet, because the page's content security policy allows
 * only the style elements that arrived with the page.
 */
export function ThemeStyle() {
  const configuration = useConfiguration()
  const [sheet] = useState(() => firstSheet(configuration))
  const drawn = useRef(sheet === '' ? undefined : configuration)

  useEffect(() => {
    if (drawn.current === configuration) return undefined
    drawn.current = configuration
    let isNewest = true
    // The theme code loads only when the configuration changes, because most pages never need it.
    const draw = async () => {
      const theme = await import('../../../design/tokens/theme.ts')
      if (isNewest) adopt(theme.themeStyleSheet(withAddresses(configuration)))
    }
    void draw()
    return () => {
      isNewest = false
    }
  }, [configuration])

  // The style sheet is safe as HTML, because the theme escapes every value that an operator wrote.
  return <style id={ID} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet }} />
}

/** Returns the configuration with the addresses of the operator's fonts for this page. */
function withAddresses({ style, ...others }: Configuration): Configuration {
  const { textFontFile, displayFontFile } = style
  return {
    ...others,
    style: {
      ...style,
      textFontFile: atService(textFontFile),
      displayFontFile: atService(displayFontFile),
    },
  }
}

let adopted: CSSStyleSheet | undefined

/** Replaces the theme of the page. */
function adopt(text: string): void {
  if (adopted === undefined) {
    adopted = new CSSStyleSheet()
    document.adoptedStyleSheets.push(adopted)
  }
  adopted.replaceSync(text)
  const first = document.getElementById(ID)
  if (first instanceof HTMLStyleElement) first.disabled = true
}
