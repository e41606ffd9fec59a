"""The browser table: pages rendered from views, and the server behind them."""
