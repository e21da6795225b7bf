import { Asset, HeadContent, useRouter, useTags } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { ReactNode } from 'react'
import { sharedText } from '../api/page-parts.ts'

/** What routes and the build say stands in the head. */
export function HeadTags() {
  return drawn()
}

const drawn = createIsomorphicFn()
  .server((): ReactNode => <ServerTags />)
  .client((): ReactNode => <HeadContent />)

/**
 * The router's own names every tag by all of its text each time, which for the styles is half of the page. They stand under
 * the attribute by which the router finds them in the browser.
 */
function ServerTags() {
  const { options, stores } = useRouter()
  const { context, ssr } = options
  // The styles of a page are those of the routes that it consists of.
  const screens = stores.matches
    .get()
    .map(({ routeId }) => routeId)
    .join(' ')
  const nonce = ssr?.nonce === undefined ? {} : { nonce: ssr.nonce }
  return useTags().map((tag, index) => {
    const key = `${tag.tag} ${index}`
    if (tag.tag !== 'style' || tag.inlineCss !== true || tag.children === undefined)
      return <Asset {...tag} {...nonce} key={key} />
    const styles = context.parts?.insert(sharedText(screens, tag.children)) ?? tag.children
    return (
      <style
        {...tag.attrs}
        {...nonce}
        key={key}
        data-tsr-inline-css=""
        dangerouslySetInnerHTML={{ __html: styles }}
      />
    )
  })
}
