import type { Configuration } from '@ondine/contract/configuration'
import { useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { useEffect, useRef, useState } from 'react'
import { themeStyleSheet } from '../../design/theme.ts'
import { useConfiguration } from './use-configuration.ts'

const ID = 'theme'

/** The sheet of each configuration, made once: the server draws many pages with the same one. */
const sheets = new WeakMap<Configuration, string>()

/** The sheet that a page begins with: made on the server, in the browser the one that came with the page. */
const firstSheet = createIsomorphicFn()
  .server((configuration: Configuration): string => {
    const sheet = sheets.get(configuration) ?? themeStyleSheet(configuration)
    sheets.set(configuration, sheet)
    return sheet
  })
  .client((_configuration: Configuration): string => document.getElementById(ID)?.textContent ?? '')

/**
 * The look that the operator has chosen (V3-48), in the head of the page before anything is drawn. Another configuration
 * changes the text of the same element, which keeps the nonce that let it in.
 */
export function ThemeStyle() {
  const configuration = useConfiguration()
  const [sheet, setSheet] = useState(() => firstSheet(configuration))
  const drawn = useRef(sheet === '' ? undefined : configuration)

  useEffect(() => {
    if (drawn.current === configuration) return undefined
    drawn.current = configuration
    let isNewest = true
    // Most pages are left before anything changes: how a theme is computed is fetched when one does.
    const draw = async () => {
      const theme = await import('../../design/theme.ts')
      if (isNewest) setSheet(theme.themeStyleSheet(configuration))
    }
    void draw()
    return () => {
      isNewest = false
    }
  }, [configuration])

  const nonce = useRouter().options.ssr?.nonce
  // The theme quotes all that an operator wrote.
  return <style id={ID} nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet }} />
}
