import { useEffect, useState } from 'react'
import type { Thumbnail } from '../engine/engine.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './scrubber.module.css'

/** Width of the preview image in pixels, by width of the window. */
const WIDTH = { wide: 220, narrow: 150, narrowBelow: 600 }

/** A preview of the position under the pointer: image, time and chapter. It stays inside the window. */
export function ScrubPreview({
  actor,
  at,
  position,
  text,
  chapter,
}: {
  actor: PlayerActor
  at: number
  position: number
  text: string
  chapter: string | undefined
}) {
  const thumbnail = useThumbnail(actor, position)
  const width = window.innerWidth < WIDTH.narrowBelow ? WIDTH.narrow : WIDTH.wide
  const half = thumbnail === null ? 60 : width / 2
  return (
    <>
      <span className={styles.mark} style={{ left: `${at * 100}%` }} />
      <div
        className={styles.preview}
        style={{ left: `clamp(${half}px, ${at * 100}%, calc(100% - ${half}px))` }}
      >
        {thumbnail !== null && <ThumbnailPicture thumbnail={thumbnail} width={width} />}
        <span className={styles.place}>
          <span className={styles.placeTime}>{text}</span>
          {chapter !== undefined && chapter !== '' && (
            <span className={styles.chapter}>{` · ${chapter}`}</span>
          )}
        </span>
      </div>
    </>
  )
}

function ThumbnailPicture({ thumbnail, width }: { thumbnail: Thumbnail; width: number }) {
  const scale = width / thumbnail.width
  return (
    <span
      className={styles.thumbnail}
      style={{
        width,
        height: Math.round(thumbnail.height * scale),
        backgroundImage: `url("${thumbnail.url}")`,
        backgroundSize: `${thumbnail.imageWidth * scale}px ${thumbnail.imageHeight * scale}px`,
        backgroundPosition: `${-thumbnail.x * scale}px ${-thumbnail.y * scale}px`,
      }}
    />
  )
}

/**
 * Returns the preview image of a position. Returns the previous image until the new image has loaded, so that
 * nothing flickers.
 */
function useThumbnail(actor: PlayerActor, position: number): Thumbnail | null {
  const [thumbnail, setThumbnail] = useState<Thumbnail | null>(null)
  const second = Math.floor(position)
  useEffect(() => {
    let current = true
    const look = async () => {
      const found = await actor.getSnapshot().context.parts.engine.thumbnail(second)
      if (current) setThumbnail(found)
    }
    void look()
    return () => {
      current = false
    }
  }, [actor, second])
  return thumbnail
}
