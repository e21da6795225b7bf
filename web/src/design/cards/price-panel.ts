import styles from './price-panel.module.css'

/** The class of a purchase screen, which contains a {@link PRICE_PANEL}. */
export const PRICE_SCREEN = styles.screen

/** The class of the heading of a purchase screen. */
export const PRICE_TITLE = styles.title

/**
 * The class of the panel with the price and the purchase button. On a wide screen, the panel stays visible while
 * the page scrolls.
 */
export const PRICE_PANEL = styles.panel
