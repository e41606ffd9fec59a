"""The answers on a report's first page: is it fair, long, luck, dead in parts, a runaway, confusing?"""
