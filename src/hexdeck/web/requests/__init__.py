"""What a request says: who asks, what was sent, which table it is about, in which language."""
